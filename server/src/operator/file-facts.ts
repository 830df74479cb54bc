import type { Context } from '../context.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import type { HoldReason, RemovalReason, ScanState } from '../storage/db/schema.ts';
import type { FoundBytes } from './find-bytes.ts';
import { holdsOn, wordsFor } from './holds.ts';

export interface StoredFileFacts {
  readonly sha256: string;
  /** Null once the bytes have been deleted from storage. */
  readonly blob: {
    readonly id: string;
    readonly size: number;
    readonly used_by: number;
    readonly unused_since: number | null;
    readonly held_for: HoldReason | null;
    readonly scan_state: ScanState;
  } | null;
  /** True if uploads of these bytes are refused. */
  readonly blocked: boolean;
  readonly holds: readonly string[];
  readonly files: readonly FactsOfFile[];
  /** Number of files with these bytes, live or deleted; `files` may list only some of them. */
  readonly fileCount: number;
}

export interface FactsOfFile {
  readonly name: string;
  readonly originalName: string;
  readonly extension: string;
  readonly account: string;
  readonly size: number;
  readonly hits: number;
  readonly uploadedAt: number;
  readonly lastAccessedAt: number;
  readonly deletedAt: number | null;
  readonly deletedBecause: RemovalReason | null;
  readonly pendingScan: boolean;
}

const filesShown = 50;

/** Returns everything known about the named file, or about the files of a digest. */
export async function fileFacts({ db }: Pick<Context, 'db'>, bytes: FoundBytes): Promise<StoredFileFacts> {
  const { sha256, blobId, name } = bytes;
  const blob = await db
    .selectFrom('blobs')
    .select(['id', 'size', 'used_by', 'unused_since', 'held_for', 'scan_state'])
    .where('id', '=', blobId)
    .executeTakeFirst();
  const blocked = await db
    .selectFrom('blocked_digests')
    .select('sha256')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  const { files: fileCount } = await db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('files.blob_id', '=', blobId)
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    sha256,
    blob: blob ?? null,
    blocked: blocked !== undefined,
    holds: (await holdsOn(db, bytes)).map(wordsFor),
    files: await filesOf(db, blobId, name),
    fileCount,
  };
}

async function filesOf(db: Context['db'], blobId: BlobId, name: string | null): Promise<FactsOfFile[]> {
  const rows = await db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select([
      'files.name',
      'files.original_name as originalName',
      'files.extension',
      'accounts.email as account',
      'files.size',
      'files.hits',
      'files.uploaded_at as uploadedAt',
      'files.last_accessed_at as lastAccessedAt',
      'files.deleted_at as deletedAt',
      'files.deleted_because as deletedBecause',
      'files.pending_scan',
      'accounts.closed_at',
    ])
    // The indexes by blob cover live and withheld files.
    .$if(name !== null, (query) => query.where('files.name', '=', name ?? ''))
    .$if(name === null, (query) =>
      query
        .where('files.blob_id', '=', blobId)
        .where((eb) =>
          eb.or([eb('files.deleted_at', 'is', null), eb('files.deleted_because', 'in', ['malware', 'takedown'])]),
        ),
    )
    .orderBy('files.id')
    .limit(filesShown)
    .execute();
  return rows.map(({ pending_scan, closed_at, ...row }) => ({
    ...row,
    // Files of a closed account count as deleted, even while they still wait for their deletion.
    ...(row.deletedAt === null && closed_at !== null && { deletedAt: closed_at, deletedBecause: 'account' as const }),
    pendingScan: pending_scan === 1,
  }));
}
