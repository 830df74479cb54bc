import type { DeletedFile, DeletedFiles } from '@holdfast/contract/src/deleted-files.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { storedName } from '@holdfast/contract/src/files.ts';
import { mostDeletedAtOnce, restorableHours } from '@holdfast/contract/src/limits.ts';
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Caller } from '../accounts/identify.ts';
import { changeAs } from '../accounts/lock-caller.ts';
import { planOf } from '../accounts/plan-of.ts';
import { reserveQuota } from '../accounts/quota.ts';
import type { Context } from '../context.ts';
import { hours, timeText } from '../lib/clock.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { Schema } from '../storage/db/schema.ts';
import { countUses } from './remove-files.ts';

/** The newest only. Those that are restored give way to older ones. */
export async function listDeletedFiles({ db, clock }: Context, accountId: string): Promise<DeletedFiles> {
  const found = await restorable(db, accountId, clock.now())
    .select(['name', 'original_name', 'extension', 'files.size', 'deleted_because', 'deleted_at'])
    .orderBy('deleted_at', 'desc')
    .orderBy('files.id', 'desc')
    .limit(mostDeletedAtOnce + 1)
    .execute();
  const files = found.slice(0, mostDeletedAtOnce).map(({ deleted_at, deleted_because, ...file }): DeletedFile => ({
    ...file,
    reason: deleted_because as DeletedFile['reason'],
    deleted: timeText(deleted_at ?? 0),
  }));
  return { files, more: found.length > files.length };
}

/**
 * All of them or none, under their old names. Files that cannot be restored are ignored.
 * @throws {Failure} QUOTA_EXCEEDED.
 */
export async function restoreFiles(context: Context, caller: Caller, names: readonly string[]): Promise<string[]> {
  const { id: accountId } = caller.account;
  // A database cannot compare every string with a name.
  const possible = [...new Set(names)].filter((name) => storedName.safeParse(name).success);
  if (possible.length === 0) return [];
  const ids = await findDeleted(context.db, accountId, possible);
  if (ids.length === 0) return [];
  const restored = await changeAs(context, caller, (tx) => bringBack(context, tx, accountId, ids));
  return possible.filter((name) => restored.has(name));
}

/** Before the transaction, so that foreign names keep no other write waiting. */
async function findDeleted(db: Database, accountId: string, names: readonly string[]): Promise<string[]> {
  const found = await db
    .selectFrom('files')
    .select(['id', 'account_id'])
    .where('name', 'in', names)
    .where('deleted_at', 'is not', null)
    .execute();
  return found.filter(({ account_id }) => account_id === accountId).map(({ id }) => id);
}

async function bringBack(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const now = context.clock.now();
  // First: a purge and a takedown lock them too, and what they did must be seen below.
  const used = tx.selectFrom('files').select('blob_id').where('id', 'in', ids);
  await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', 'in', used).orderBy('id'));
  const files = await restorable(tx, accountId, now)
    .select(['files.id', 'name', 'files.size', 'blob_id'])
    .where('files.id', 'in', ids)
    .execute();
  if (files.length === 0) return new Set();
  const account = tx.selectFrom('accounts').select(['level', 'own_limits']).where('id', '=', accountId);
  const plan = planOf(context, await account.executeTakeFirstOrThrow());
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (!(await reserveQuota(tx, accountId, plan, size, files.length))) throw new Failure('QUOTA_EXCEEDED');
  await tx
    .updateTable('files')
    .set({ deleted_at: null, deleted_because: null, returned_at: now })
    // Their bytes may have been scanned since.
    .set((eb) => ({
      pending_scan: eb
        .case()
        .when(eb.selectFrom('blobs').select('scan_state').whereRef('blobs.id', '=', 'files.blob_id'), '=', 'pending')
        .then(eb.ref('pending_scan'))
        .else(eb.lit(0))
        .end(),
    }))
    .where(
      'id',
      'in',
      files.map(({ id }) => id),
    )
    .execute();
  await countUses(tx, files, 1, now);
  return new Set(files.map(({ name }) => name));
}

/** Deleted by the owner or by a rule of the account, while their bytes are kept and nothing holds them. */
const restorable = (db: Database, accountId: string, now: number) =>
  db
    .selectFrom('files')
    .innerJoin('blobs', 'blobs.id', 'files.blob_id')
    .where('files.account_id', '=', accountId)
    .where('files.deleted_at', '>', now - hours(restorableHours))
    // Written out so that the partial index is used.
    .where(sql<SqlBool>`files.original_name <> ''`)
    .where('files.deleted_because', 'in', ['owner', 'continuous_uploading', 'inactivity', 'dormancy'])
    .where('blobs.held_for', 'is', null)
    .where(isNotBlocked);

const isNotBlocked = (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.not(
    eb.exists(
      eb
        .selectFrom('blocked_digests')
        .select('blocked_digests.sha256')
        .whereRef('blocked_digests.sha256', '=', 'files.sha256'),
    ),
  );
