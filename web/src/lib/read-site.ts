/** What the operator says about this installation; the server writes it into the page. */
export interface Site {
  readonly name: string;
  readonly contactEmail: string | null;
  readonly contactChatUrl: string | null;
  /** Who takes copyright notices, in one or more lines. */
  readonly dmcaAgent: string | null;
  /** Whether it is Google that tells people from bots here. */
  readonly recaptcha: boolean;
  /** What can be bought here, such as `starter_monthly`; nothing, where nobody takes payments. */
  readonly offers: readonly string[];
  /** Where unexpected failures are reported to, if anywhere. */
  readonly sentryDsn: string | null;
  /** Whether a session came with the request for the page. It may have ended, so the server still has to be asked. */
  readonly mayBeSignedIn: boolean;
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
    offers: textsOf(facts['offers']),
    sentryDsn: textOr(facts['sentryDsn'], null),
    mayBeSignedIn: facts['mayBeSignedIn'] !== false,
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

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const textOr = <Fallback>(value: unknown, fallback: Fallback) =>
  typeof value === 'string' && value !== '' ? value : fallback;
