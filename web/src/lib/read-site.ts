/** What the operator says about this installation; the server writes it into the page. */
export interface Site {
  readonly name: string;
  readonly contactEmail: string | null;
  readonly contactChatUrl: string | null;
  /** Who takes copyright notices, in one or more lines. */
  readonly dmcaAgent: string | null;
  /** Whether it is Google that tells people from bots here. */
  readonly recaptcha: boolean;
  readonly plansForSale: boolean;
  /** Where unexpected failures are reported to, if anywhere. */
  readonly sentryDsn: string | null;
}

/** The development server sends the page as it is written, with a word in place of the facts. */
export function readSite(text: string): Site {
  const facts = parseObject(text);
  return {
    name: textOr(facts['name'], 'Holdfast'),
    contactEmail: textOr(facts['contactEmail'], null),
    contactChatUrl: textOr(facts['contactChatUrl'], null),
    dmcaAgent: textOr(facts['dmcaAgent'], null),
    recaptcha: facts['recaptcha'] === true,
    plansForSale: facts['plansForSale'] === true,
    sentryDsn: textOr(facts['sentryDsn'], null),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textOr = <Fallback>(value: unknown, fallback: Fallback) =>
  typeof value === 'string' && value !== '' ? value : fallback;
