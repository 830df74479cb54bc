/** An email as its recipient sees it: header names in lower case, everything decoded. */
export interface ReadEmail {
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  readonly html: string;
}

/**
 * `source` is latin1, one character for each byte. It is parsed as an email client would: RFC 5322 headers, RFC 2047
 * words, and the two parts of a multipart/alternative.
 */
export function readEml(source: string): ReadEmail {
  const { headers, body } = readEntity(source);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '') ?? [];
  const [text = '', html = ''] = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const entity = readEntity(part.replace(/^\r\n/, ''));
      const encoding = entity.headers.get('content-transfer-encoding')?.[0];
      return decode(entity.body, encoding === 'base64' ? 'B' : encoding === 'quoted-printable' ? 'Q' : '');
    });
  return { headers, text, html };
}

function readEntity(source: string): { headers: Map<string, string[]>; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), decodeWords(value)]);
  }
  return { headers, body: source.slice(end + 4) };
}

function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      decode(encoding.toUpperCase() === 'Q' ? text.replaceAll('_', ' ') : text, encoding.toUpperCase()),
    );
}

function decode(text: string, encoding: string): string {
  if (encoding === 'B') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'Q') return Buffer.from(text, 'latin1').toString();
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
