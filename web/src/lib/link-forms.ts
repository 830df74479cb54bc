/** A file's link, written for the places where people paste it. */

export interface NamedLink {
  readonly name: string;
  readonly url: string;
  /** Shown in the text itself, where the form can do that. */
  readonly isImage?: boolean;
}

export const linkForms = {
  'Plain text': ({ url }: NamedLink) => url,
  Markdown: ({ name, url, isImage }: NamedLink) => `${isImage ? '!' : ''}[${escapeMarkdown(name)}](${url})`,
  HTML: ({ name, url, isImage }: NamedLink) =>
    isImage ? `<img src="${url}" alt="${escapeHtml(name)}">` : `<a href="${url}">${escapeHtml(name)}</a>`,
  BBCode: ({ name, url, isImage }: NamedLink) =>
    isImage ? `[img]${url}[/img]` : `[url=${url}]${withoutBrackets(name)}[/url]`,
} as const;
export type LinkForm = keyof typeof linkForms;

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>]/g, String.raw`\$&`);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** BBCode has no way to escape them. */
const withoutBrackets = (text: string): string => text.replaceAll('[', '(').replaceAll(']', ')');

/** Downloads the file under its original name and checks it, in a POSIX shell. */
export function curlWithCheck({ name, url }: NamedLink, sha256: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `curl --fail --location --output ${quoted(name)} ${quoted(url)} &&
  echo ${quoted(`${sha256}  ${name}`)} | sha256sum --check`;
}

/** The lines of a Minecraft server that offers the file as its resource pack. */
export const serverProperties = (url: string, sha1: string): string =>
  `resource-pack=${url}\nresource-pack-sha1=${sha1}`;
