import { Failure } from '@holdfast/contract/src/errors.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { newBlobId } from '../storage/blobs/blob-id.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import type { Database } from '../storage/db/database.ts';

export interface FoundBytes {
  readonly sha256: string;
  /** The blob that has these bytes now, or the one that had them if they have been deleted from storage. */
  readonly blobId: BlobId;
  readonly name: string | null;
}

/**
 * Resolves the name of a file, its link on any host, or a SHA-256. A name leads to its digest, and the digest to its
 * current blob, because purged bytes may have been uploaded again.
 */
export async function findBytes({ db }: Pick<Context, 'db'>, text: string): Promise<FoundBytes> {
  if (/^[0-9a-f]{64}$/i.test(text)) {
    const sha256 = text.toLowerCase();
    const blobId = await blobWith(db, sha256);
    const blocked = db.selectFrom('blocked_digests').select('sha256').where('sha256', '=', sha256);
    if (blobId === undefined && !(await blocked.executeTakeFirst()))
      throw new Failure('FILE_NOT_FOUND', `Nothing with the SHA-256 ${sha256} is stored here.`);
    return { sha256, blobId: blobId ?? (await blobBefore(db, sha256)), name: null };
  }
  const name = nameIn(text);
  const file = await db
    .selectFrom('files')
    .leftJoin('blobs', 'blobs.sha256', 'files.sha256')
    .select(['files.name', 'files.sha256', 'files.blob_id as before', 'blobs.id as today'])
    .where('files.name', '=', name)
    .executeTakeFirst();
  if (!file) throw await noFile(db, name);
  return { sha256: file.sha256, blobId: file.today ?? file.before, name: file.name };
}

async function noFile(db: Database, name: string): Promise<Failure> {
  const used = await db.selectFrom('used_names').select('name').where('name', '=', name).executeTakeFirst();
  const before = used ? 'the one that had it was deleted more than a year ago' : 'there never was one';
  return new Failure('FILE_NOT_FOUND', `There is no file named '${name}', and ${before}.`);
}

export async function blobWith(db: Database, sha256: string): Promise<BlobId | undefined> {
  return (await db.selectFrom('blobs').select('id').where('sha256', '=', sha256).executeTakeFirst())?.id;
}

/** The blob that withheld files had; a new id, which nothing has, if there are none. */
export async function blobBefore(db: Database, sha256: string): Promise<BlobId> {
  const withheld = db
    .selectFrom('files')
    .select('blob_id')
    .where('sha256', '=', sha256)
    // Written out so that the partial index is used.
    .where(sql<boolean>`deleted_because IN ('malware', 'takedown')`);
  return (await withheld.limit(1).executeTakeFirst())?.blob_id ?? newBlobId();
}

export const goneForGood = ({ name, sha256 }: FoundBytes): Failure =>
  new Failure('FILE_NOT_FOUND', `The bytes of '${name ?? sha256}' were permanently deleted and cannot be restored.`);

/** `https://host/file/q7Rt2mXa.zip?no-count=true`, `host/file/q7Rt2mXa` and `q7Rt2mXa.zip` all name q7Rt2mXa. */
function nameIn(text: string): string {
  const [, target = text] = /\/file\/([^/?#]+)/.exec(text) ?? [];
  return target.replace(/\..*$/, '');
}

export type FileFacts = Awaited<ReturnType<typeof fileFacts>>;

export async function fileFacts({ db }: Pick<Context, 'db'>, bytes: FoundBytes) {
  const { sha256, blobId, name } = bytes;
  const blob = await db
    .selectFrom('blobs')
    .select(['id', 'size', 'used_by', 'unused_since', 'held_for', 'scan_state'])
    .where('id', '=', blobId)
    .executeTakeFirst();
  const blocked = db.selectFrom('blocked_digests').select('sha256').where('sha256', '=', sha256);
  return {
    sha256,
    blob: blob ?? null,
    blocked: (await blocked.executeTakeFirst()) !== undefined,
    held_by: (await holdsOn(db, bytes)).map(wordsFor),
    live_files: (await countLive(db, blobId)).files,
    files: await filesOf(db, blobId, name),
  };
}

export type Hold = { readonly kind: 'case'; readonly reference: string } | { readonly kind: 'quarantine' };

export async function holdsOn(db: Database, { sha256, blobId }: FoundBytes): Promise<Hold[]> {
  const open = await db
    .selectFrom('takedown_cases')
    .select('reference')
    .where('sha256', '=', sha256)
    .where('closed_at', 'is', null)
    .orderBy('opened_at')
    .orderBy('reference')
    .execute();
  const blobs = db.selectFrom('blobs').select(['held_for', 'scan_state']);
  const blob = await blobs.where('id', '=', blobId).executeTakeFirst();
  const blocks = db.selectFrom('blocked_digests').select(['reason', 'reference']);
  const blocked = await blocks.where('sha256', '=', sha256).executeTakeFirst();
  const references = new Set(open.map((row) => row.reference));
  // Earlier versions restored the block of a later case without the case itself.
  if (blocked?.reason === 'takedown') references.add(blocked.reference);
  const isQuarantined =
    blob?.held_for === 'malware' || blob?.scan_state === 'infected' || blocked?.reason === 'malware';
  return [
    ...[...references].map((reference) => ({ kind: 'case', reference }) as const),
    ...(isQuarantined ? [{ kind: 'quarantine' } as const] : []),
  ];
}

export const wordsFor = (hold: Hold): string =>
  hold.kind === 'case' ? `the case ${hold.reference}` : 'the quarantine';

export function countLive(db: Context['db'], blobId: BlobId): Promise<{ files: number; accounts: number }> {
  return db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.count<number>('account_id').distinct().as('accounts')])
    .where('files.blob_id', '=', blobId)
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirstOrThrow();
}

async function filesOf(db: Context['db'], blobId: BlobId, name: string | null) {
  const query = db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select(['files.name', 'original_name', 'accounts.email as account', 'files.size', 'hits', 'uploaded_at'])
    .select(['last_accessed_at', 'deleted_at', 'deleted_because', 'pending_scan', 'closed_at'])
    .orderBy('files.id')
    .limit(50);
  // The indexes by blob cover live and withheld files.
  const rows = await (
    name === null
      ? query
          .where('files.blob_id', '=', blobId)
          .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('deleted_because', 'in', ['malware', 'takedown'])]))
      : query.where('files.name', '=', name)
  ).execute();
  return rows.map(({ closed_at, ...row }) => ({
    ...row,
    // Files of a closed account count as deleted, even while they still wait for their deletion.
    ...(row.deleted_at === null &&
      closed_at !== null && { deleted_at: closed_at, deleted_because: 'account' as const }),
  }));
}

/** References of the open cases against an account, oldest first. */
export async function casesAgainst({ db }: Pick<Context, 'db'>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('takedowns')
    .select('reference')
    .where('account_id', '=', accountId)
    .where('restored_at', 'is', null)
    .groupBy('reference')
    .orderBy((eb) => eb.fn.min('taken_down_at'))
    .orderBy('reference')
    .execute();
  return rows.map(({ reference }) => reference);
}
