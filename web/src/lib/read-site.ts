/** The operator's settings for this installation, which the server writes into the page. */
export interface Site {
  readonly name: string;
  readonly contactEmail: string | null;
  readonly contactChatUrl: string | null;
  /** The agent for copyright notices, in one or more lines. */
  readonly dmcaAgent: string | null;
  /** True if reCAPTCHA is the bot check. */
  readonly recaptcha: boolean;
  /** The plans for sale, such as `starter_monthly`; empty if this site takes no payments. */
  readonly offers: readonly string[];
  /** Address for reports of unexpected failures, or null. */
  readonly sentryDsn: string | null;
  /** True if the request for the page contained a session. It may have ended, so the server must still be asked. */
  readonly mayBeSignedIn: boolean;
}

/** The development server sends the page unchanged, with a placeholder instead of the settings. */
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
