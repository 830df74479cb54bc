/** The addresses of a file on the host that serves files (spec section 2). */
import type { FileList, StoredFile } from '@holdfast/contract/src/files.ts';

type Named = Pick<StoredFile, 'name' | 'extension'>;
type LinkRule = Pick<FileList, 'preferred_domain' | 'show_file_extensions'>;

/** What a link ends with: the stored name, with its extension where the account shows them. */
export const publicName = (file: Named, rule: Pick<LinkRule, 'show_file_extensions'>): string =>
  rule.show_file_extensions && file.extension !== '' ? `${file.name}.${file.extension}` : file.name;

/** The link to hand out. The file host speaks the protocol that the page was opened with. */
export const publicLink = (file: Named, rule: LinkRule, protocol: string = location.protocol): string =>
  `${protocol}//${rule.preferred_domain}/file/${publicName(file, rule)}`;

/** The same bytes for the owner's own look: not counted as a hit (spec section 7). */
export const previewLink = (file: Named, rule: LinkRule, protocol: string = location.protocol): string =>
  `${protocol}//${rule.preferred_domain}/file/${file.name}?no-count=true`;
