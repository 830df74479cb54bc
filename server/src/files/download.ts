import { create as contentDisposition } from 'content-disposition';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import { presentationOf } from './content-types.ts';

export type Download =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'digest'; readonly text: string }
  | {
      readonly kind: 'file';
      readonly id: string;
      readonly blobId: BlobId;
      readonly size: number;
      readonly sha256: string;
      readonly contentType: string;
      readonly contentDisposition: string;
    };

/**
 * What `/file/{target}` stands for. `.sha256` after a name or after name and extension asks for the digest; a file
 * whose own extension is `sha256` is meant itself, and its digest is at `.sha256.sha256` (decisions section 4).
 */
export async function findDownload(context: Context, target: string): Promise<Download> {
  const [, name, rest = ''] = /^([0-9A-Za-z]{4,64})((?:\.[0-9A-Za-z]{1,16}){0,2})$/.exec(target) ?? [];
  if (name === undefined) return { kind: 'not-found' };
  const file = await liveFile(context, name);
  if (!file) return { kind: 'not-found' };
  const suffix = rest.toLowerCase();
  const own = file.extension === '' ? '' : `.${file.extension}`;
  if (suffix === '' || suffix === own) return describe(file);
  return suffix === '.sha256' || suffix === `${own}.sha256`
    ? { kind: 'digest', text: file.sha256 }
    : { kind: 'not-found' };
}

interface LiveFile {
  readonly id: string;
  readonly blob_id: string;
  readonly size: number;
  readonly sha256: string;
  readonly extension: string;
  readonly original_name: string;
}

function liveFile({ db }: Context, name: string): Promise<LiveFile | undefined> {
  return db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select(['files.id', 'files.blob_id', 'files.size', 'files.sha256', 'files.extension', 'files.original_name'])
    .where('files.name', '=', name)
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst();
}

function describe(file: LiveFile): Download {
  const { contentType, disposition } = presentationOf(file.extension);
  return {
    kind: 'file',
    id: file.id,
    blobId: file.blob_id as BlobId,
    size: file.size,
    sha256: file.sha256,
    contentType,
    contentDisposition: contentDisposition(file.original_name, { type: disposition }),
  };
}
