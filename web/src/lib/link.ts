/** Addresses of a file on the file host. */
import type { FileList, StoredFile } from '@holdfast/contract/src/files.ts';

type Named = Pick<StoredFile, 'name' | 'extension'>;

/** What links are built from. */
export interface LinkRule extends Pick<FileList, 'show_file_extensions'> {
  readonly origin: string;
}

/** The origin that serves files at a domain. It may have another protocol than the page. */
export const originOf = (domain: string, fileOrigins: readonly string[]): string =>
  fileOrigins.find((origin) => new URL(origin).host === domain) ?? `${location.protocol}//${domain}`;

/** Last part of a link: the stored name, with its extension if the account shows extensions. */
export const publicName = (file: Named, rule: Pick<LinkRule, 'show_file_extensions'>): string =>
  rule.show_file_extensions && file.extension !== '' ? `${file.name}.${file.extension}` : file.name;

export const publicLink = (file: Named, rule: LinkRule): string => `${rule.origin}/file/${publicName(file, rule)}`;

/** Link to the same bytes for the owner's preview, which does not count as a hit. */
export const previewLink = (file: Named, { origin }: LinkRule): string => `${origin}/file/${file.name}?no-count=true`;
