import { preferredOrigin } from '../accounts/settings.ts';
import type { Context } from '../context.ts';
import type { AccountRow, FileRow } from '../storage/db/schema.ts';

/** Returns the public link of a file, on its owner's preferred domain, with the extension if the owner wants it. */
export function linkOf(
  context: Context,
  account: Pick<AccountRow, 'preferred_domain' | 'return_file_extension'>,
  file: Pick<FileRow, 'name' | 'extension'>,
): string {
  const extension = account.return_file_extension === 1 && file.extension !== '' ? `.${file.extension}` : '';
  return `${preferredOrigin(context, account)}/file/${file.name}${extension}`;
}
