/** What the operator says about this installation; the server writes it into the page. */
export interface Site {
  readonly name: string;
  readonly contactEmail: string | null;
  readonly contactChatUrl: string | null;
}

/** The development server sends the page as it is written, with a word in place of the facts. */
export function readSite(text: string): Site {
  const facts = parseObject(text);
  return {
    name: textOr(facts['name'], 'Holdfast'),
    contactEmail: textOr(facts['contactEmail'], null),
    contactChatUrl: textOr(facts['contactChatUrl'], null),
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
