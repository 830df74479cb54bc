/** An email as its recipient sees it: header names in lower case, everything decoded. */
export interface ReadEmail {
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  readonly html: string;
  /** Content-IDs of the images in the HTML. */
  readonly images: readonly string[];
}

/**
 * `source` is latin1, one character for each byte. It is parsed as an email client would: RFC 5322 headers, RFC 2047
 * words, and the two parts of a multipart/alternative, of which HTML may come with images.
 */
export function readEml(source: string): ReadEmail {
  const { headers, body } = readEntity(source);
  const parts = partsOf({ headers, body });
  const [text = '', html = ''] = parts.map(readPart);
  const images = parts.flatMap((part) => partsOf(part).flatMap((image) => image.headers.get('content-id') ?? []));
  return { headers, text, html, images };
}

type Entity = ReturnType<typeof readEntity>;

function partsOf({ headers, body }: Entity): Entity[] {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '') ?? [];
  const parts = boundary === '' ? [] : body.split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => readEntity(part.replace(/^\r\n/, '')));
}

function readPart(entity: Entity): string {
  const [html] = partsOf(entity);
  if (html) return readPart(html);
  const encoding = entity.headers.get('content-transfer-encoding')?.[0];
  return decode(entity.body, encoding === 'base64' ? 'B' : encoding === 'quoted-printable' ? 'Q' : '');
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
