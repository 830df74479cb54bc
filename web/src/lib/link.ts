/** Addresses of a file on the file host. */
import type { FileList, StoredFile } from '@holdfast/contract/src/files.ts';

type Named = Pick<StoredFile, 'name' | 'extension'>;
type LinkRule = Pick<FileList, 'preferred_domain' | 'show_file_extensions'>;

/** Last part of a link: the stored name, with its extension if the account shows extensions. */
export const publicName = (file: Named, rule: Pick<LinkRule, 'show_file_extensions'>): string =>
  rule.show_file_extensions && file.extension !== '' ? `${file.name}.${file.extension}` : file.name;

/** The public link. It uses the protocol with which the page was opened. */
export const publicLink = (file: Named, rule: LinkRule, protocol: string = location.protocol): string =>
  `${protocol}//${rule.preferred_domain}/file/${publicName(file, rule)}`;

/** Link to the same bytes for the owner's preview, which does not count as a hit. */
export const previewLink = (file: Named, rule: LinkRule, protocol: string = location.protocol): string =>
  `${protocol}//${rule.preferred_domain}/file/${file.name}?no-count=true`;
