import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Actor } from './record-action.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import { BlobMissing } from '../storage/blobs/blobs.ts';
import type { FoundBytes } from './find-bytes.ts';
import { type Hold, holdsOn, wordsFor } from './holds.ts';
import { releaseHoldOnly } from './release-hold-only.ts';
import { goneForGood, type RestoredFiles, restoreFilesOf, type RestoreOrder } from './restore-files.ts';

export interface Restoration {
  readonly sha256: string;
  /** Outcome for each account's files. */
  readonly accounts: readonly RestoredFiles[];
  /** Other holds that still withhold the bytes, so that nothing was restored; otherwise empty. */
  readonly stillHeldBy: readonly string[];
}

export interface RestoreFileOptions {
  /** Restores files even to accounts without enough quota. */
  readonly overQuota: boolean;
}

/**
 * Lifts `hold` from bytes, after a counter-notice or a false alarm. Files that were withheld because of it become live
 * again under the same names, unless something else holds the bytes too. Files that their owner had deleted stay
 * deleted.
 * @throws {Failure} FILE_NOT_FOUND when the bytes are gone.
 */
export async function restore(
  context: Context,
  actor: Actor,
  bytes: FoundBytes,
  hold: Hold,
  { overQuota }: RestoreFileOptions,
): Promise<Restoration> {
  await requireBytes(context, bytes);
  const order: RestoreOrder = { actor, bytes, hold, overQuota };
  const others = await releaseHoldOnly(context, order);
  if (others.length > 0) return { sha256: bytes.sha256, accounts: [], stillHeldBy: others.map(wordsFor) };
  const accounts: RestoredFiles[] = [];
  for (const accountId of await ownersOfWithheld(context, bytes.blobId))
    accounts.push(await restoreFilesOf(context, accountId, order));
  return { sha256: bytes.sha256, accounts, stillHeldBy: [] };
}

/** Returns the bytes that `case` took down: those of each digest still stored, and the digests that are not. */
export async function bytesOfCase(
  { db }: Pick<Context, 'db'>,
  reference: string,
): Promise<{ readonly stored: readonly FoundBytes[]; readonly gone: readonly string[] }> {
  const taken = db
    .selectFrom('takedown_cases')
    .select('sha256')
    .where('reference', '=', reference)
    .union(
      db
        .selectFrom('blocked_digests')
        .select('sha256')
        .where('reason', '=', 'takedown')
        .where('reference', '=', reference),
    )
    .as('taken');
  const rows = await db
    .selectFrom(taken)
    .leftJoin('blobs', 'blobs.sha256', 'taken.sha256')
    .select(['taken.sha256', 'blobs.id'])
    .orderBy('taken.sha256')
    .execute();
  if (rows.length === 0) throw new Failure('FILE_NOT_FOUND', `No file was taken down for the case '${reference}'.`);
  return {
    stored: rows.flatMap(({ sha256, id }) => (id === null ? [] : [{ sha256, blobId: id, name: null }])),
    gone: rows.flatMap(({ sha256, id }) => (id === null ? [sha256] : [])),
  };
}

/**
 * Returns the only hold on these bytes. If nothing holds them any more but an account still waits for quota, returns
 * the hold that last withheld them.
 * @throws {Failure} FILE_NOT_FOUND when there is no hold and no account waits, INVALID_INPUT when there are several
 * holds.
 */
export async function onlyHoldOn({ db }: Pick<Context, 'db'>, bytes: FoundBytes): Promise<Hold> {
  const open = await holdsOn(db, bytes);
  const [only, ...more] = open;
  const named = bytes.name ?? bytes.sha256;
  if (more.length > 0)
    throw new Failure(
      'INVALID_INPUT',
      `'${named}' is held by ${open.map(wordsFor).join(' and ')}. Say which one is over, with --case or --quarantine.`,
    );
  const hold = only ?? (await holdWaitedFor(db, bytes));
  if (!hold) throw new Failure('FILE_NOT_FOUND', `'${named}' is neither taken down nor in quarantine.`);
  return hold;
}

/** One hold is enough: restoring for any hold gives an account all its files of the bytes. */
async function holdWaitedFor(db: Context['db'], { sha256, blobId }: FoundBytes): Promise<Hold | null> {
  const last = await db
    .selectFrom('takedowns')
    .select('reference')
    .where('sha256', '=', sha256)
    .where('restored_at', 'is', null)
    .orderBy('taken_down_at', 'desc')
    .orderBy('reference')
    .limit(1)
    .executeTakeFirst();
  if (last) return { kind: 'case', reference: last.reference };
  const waiting = await db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select('files.id')
    .where('files.blob_id', '=', blobId)
    .where('files.deleted_because', 'in', ['malware', 'takedown'])
    .where('accounts.closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return waiting ? { kind: 'quarantine' } : null;
}

async function ownersOfWithheld({ db }: Context, blobId: BlobId): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('account_id')
    .distinct()
    .where('blob_id', '=', blobId)
    .where('deleted_because', 'in', ['malware', 'takedown'])
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}

async function requireBytes({ blobs }: Context, bytes: FoundBytes): Promise<void> {
  try {
    await blobs.size(bytes.blobId);
  } catch (error) {
    throw error instanceof BlobMissing ? goneForGood(bytes) : error;
  }
}
