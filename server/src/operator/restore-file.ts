import { Failure } from '@holdfast/contract/src/errors.ts';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { planOf } from '../accounts/plan-of.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { restoredEmail } from '../email/templates.ts';
import { noteActivity } from '../files/remove-files.ts';
import { reserveQuota } from '../files/quota.ts';
import { BlobMissing } from '../storage/blobs/blobs.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { type Actor, recordAction } from './audit.ts';
import type { FoundBytes } from './find-file.ts';
import { type Hold, holdsOn, wordsFor } from './holds.ts';

interface Order {
  readonly actor: Actor;
  readonly bytes: FoundBytes;
  readonly hold: Hold;
  readonly overQuota: boolean;
}

export type Restoration = Awaited<ReturnType<typeof restore>>;

/**
 * Lifts a hold from bytes: files that were withheld become live again under the same names, unless something else holds
 * the bytes too.
 */
export async function restore(context: Context, order: Order) {
  const { bytes } = order;
  await requireBytes(context, bytes);
  const others = await endOneOfSeveral(context, order);
  const accounts: RestoredFiles[] = [];
  const owners = withheld(context.db, bytes).select('account_id').distinct().orderBy('account_id');
  if (others.length === 0)
    for (const { account_id } of await owners.execute())
      accounts.push(await restoreFilesOf(context, account_id, order));
  return { sha256: bytes.sha256, accounts, still_held_by: others.map(wordsFor) };
}

async function requireBytes({ blobs }: Context, bytes: FoundBytes): Promise<void> {
  try {
    await blobs.size(bytes.blobId);
  } catch (error) {
    throw error instanceof BlobMissing ? goneForGood(bytes) : error;
  }
}

export const goneForGood = ({ name, sha256 }: FoundBytes): Failure =>
  new Failure('FILE_NOT_FOUND', `The bytes of '${name ?? sha256}' were permanently deleted and cannot be restored.`);

const withheld = (db: Database, { blobId }: FoundBytes) =>
  db
    .selectFrom('files')
    .where('files.blob_id', '=', blobId)
    .where('files.deleted_because', 'in', ['malware', 'takedown']);

const othersThan = async (tx: Transaction, { bytes, hold }: Order) =>
  (await holdsOn(tx, bytes)).filter((each) => wordsFor(each) !== wordsFor(hold));

/** Ends only this hold if others hold the bytes too, which then take over the block. Returns the others. */
function endOneOfSeveral(context: Context, order: Order): Promise<readonly Hold[]> {
  const { bytes, hold } = order;
  return context.db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', bytes.blobId));
    const others = await othersThan(tx, order);
    const [first] = others;
    if (!first) return [];
    const now = context.clock.now();
    const reason = first.kind === 'case' ? 'takedown' : 'malware';
    if (hold.kind === 'case') {
      await closeCase(tx, now, order);
      const notices = tx.updateTable('takedowns').set({ restored_at: now }).where('reference', '=', hold.reference);
      await notices.where('sha256', '=', bytes.sha256).where('restored_at', 'is', null).execute();
    }
    await tx
      .updateTable('blobs')
      .set({ held_for: reason, ...(hold.kind === 'quarantine' && cleanSince(now)) })
      .where('id', '=', bytes.blobId)
      .execute();
    await tx
      .updateTable('blocked_digests')
      .set({ reason, ...(first.kind === 'case' && { reference: first.reference }) })
      .where('sha256', '=', bytes.sha256)
      .execute();
    await noteAction(context, tx, order, { files: 0, stillHeld: true });
    return others;
  });
}

const cleanSince = (now: number) => ({ scan_state: 'clean', scanned_at: now, scan_tries: 0 }) as const;

async function closeCase(tx: Transaction, now: number, { bytes, hold }: Order): Promise<void> {
  if (hold.kind !== 'case') return;
  await tx
    .updateTable('takedown_cases')
    .set({ closed_at: now })
    .where('reference', '=', hold.reference)
    .where('sha256', '=', bytes.sha256)
    .where('closed_at', 'is', null)
    .execute();
}

interface RestoredFiles {
  readonly account: string;
  readonly files: number;
  readonly outcome: 'restored' | 'over quota' | 'account closed' | 'held again' | 'nothing to restore';
}

const noLimits = { spaceQuota: unlimited, slotsQuota: unlimited };

function restoreFilesOf(context: Context, accountId: string, order: Order): Promise<RestoredFiles> {
  return context.db.transaction().execute(async (tx) => {
    const { bytes } = order;
    // Locks the account's row first, then the blob's, like every other transaction.
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', bytes.blobId));
    // Without a row the bytes belong to the purge, which may delete them at any moment.
    const row = tx.selectFrom('blobs').select('id').where('id', '=', bytes.blobId).where('sha256', '=', bytes.sha256);
    if (!(await row.executeTakeFirst())) throw goneForGood(bytes);
    const account = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    const { files, size } = await withheld(tx, bytes)
      .where('account_id', '=', accountId)
      .select((eb) => [
        eb.fn.countAll<number>().as('files'),
        sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('size'),
      ])
      .executeTakeFirstOrThrow();
    const ended = (outcome: RestoredFiles['outcome']): RestoredFiles => ({ account: account.email, files, outcome });
    if (files === 0) return ended('nothing to restore');
    if (account.closed_at !== null) return ended('account closed');
    // Another case that was opened in between is visible here, because opening it locks the blob's row too.
    if ((await othersThan(tx, order)).length > 0) return ended('held again');
    const plan = order.overQuota ? noLimits : planOf(context, account);
    if (!(await reserveQuota(tx, accountId, plan, size, files))) return ended('over quota');
    await liftHold(tx, context.clock.now(), order);
    await bringBack(context, tx, account, order);
    return ended('restored');
  });
}

/** Runs before any file is restored: a live file whose bytes are held or blocked would be taken down again. */
async function liftHold(tx: Transaction, now: number, order: Order): Promise<void> {
  const { bytes, hold } = order;
  await tx
    .updateTable('blobs')
    .set({ held_for: null, held_at: null, ...(hold.kind === 'quarantine' && cleanSince(now)) })
    .where('id', '=', bytes.blobId)
    .execute();
  await tx.deleteFrom('blocked_digests').where('sha256', '=', bytes.sha256).execute();
  await closeCase(tx, now, order);
}

const rowsPerInsert = 500;
const namedInEmail = 20;

async function bringBack(context: Context, tx: Transaction, account: AccountRow, order: Order): Promise<void> {
  const { bytes, hold, overQuota } = order;
  const now = context.clock.now();
  const files = await tx
    .updateTable('files')
    .set({ deleted_at: null, deleted_because: null, returned_at: now })
    .where('account_id', '=', account.id)
    .where('blob_id', '=', bytes.blobId)
    .where('deleted_because', 'in', ['malware', 'takedown'])
    .returning(['name', 'original_name', 'size'])
    .execute();
  await tx
    .updateTable('blobs')
    .set((eb) => ({ used_by: eb('used_by', '+', files.length), unused_since: null }))
    .where('id', '=', bytes.blobId)
    .execute();
  await tx
    .updateTable('takedowns')
    .set({ restored_at: now })
    .where('account_id', '=', account.id)
    .where('sha256', '=', bytes.sha256)
    .where('restored_at', 'is', null)
    .execute();
  for (let at = 0; at < files.length; at += rowsPerInsert)
    await noteActivity(tx, { accountId: account.id, event: 'restored', now }, files.slice(at, at + rowsPerInsert));
  const reference = hold.kind === 'case' ? hold.reference : null;
  const returned = { files: files.length, some: files.slice(0, namedInEmail) };
  await queueEmail({ ...context, db: tx }, restoredEmail(context, account.email, reference, returned));
  await noteAction(context, tx, order, { files: files.length, account: account.email, overQuota });
}

function noteAction(context: Context, tx: Transaction, { actor, bytes, hold }: Order, details: object): Promise<void> {
  return recordAction({ ...context, db: tx }, actor, {
    subject: bytes.name ?? bytes.sha256,
    ...(hold.kind === 'case' && { reference: hold.reference }),
    details: { sha256: bytes.sha256, lifts: hold.kind, ...details },
  });
}

export async function bytesOfCase({ db }: Pick<Context, 'db'>, reference: string) {
  const cases = db.selectFrom('takedown_cases').select('sha256').where('reference', '=', reference);
  const blocks = db.selectFrom('blocked_digests').select('sha256').where('reference', '=', reference);
  const rows = await db
    .selectFrom(cases.union(blocks.where('reason', '=', 'takedown')).as('taken'))
    .leftJoin('blobs', 'blobs.sha256', 'taken.sha256')
    .select(['taken.sha256', 'blobs.id'])
    .orderBy('taken.sha256')
    .execute();
  if (rows.length === 0) throw new Failure('FILE_NOT_FOUND', `No file was taken down for the case '${reference}'.`);
  return {
    stored: rows.flatMap(({ sha256, id }): FoundBytes[] => (id === null ? [] : [{ sha256, blobId: id, name: null }])),
    gone: rows.flatMap(({ sha256, id }) => (id === null ? [sha256] : [])),
  };
}

/** Returns the only hold on these bytes, or the last one if an account still waits for quota. */
export async function onlyHoldOn({ db }: Pick<Context, 'db'>, bytes: FoundBytes): Promise<Hold> {
  const [only, ...more] = await holdsOn(db, bytes);
  const named = bytes.name ?? bytes.sha256;
  if (only && more.length > 0)
    throw new Failure(
      'INVALID_INPUT',
      `'${named}' is held by ${[only, ...more].map(wordsFor).join(' and ')}. ` +
        'Say which one is over, with --case or --quarantine.',
    );
  const hold = only ?? (await holdWaitedFor(db, bytes));
  if (!hold) throw new Failure('FILE_NOT_FOUND', `'${named}' is neither taken down nor in quarantine.`);
  return hold;
}

/** One hold is enough: restoring for any hold gives an account all its files of the bytes. */
async function holdWaitedFor(db: Database, bytes: FoundBytes): Promise<Hold | null> {
  const last = await db
    .selectFrom('takedowns')
    .select('reference')
    .where('sha256', '=', bytes.sha256)
    .where('restored_at', 'is', null)
    .orderBy('taken_down_at', 'desc')
    .orderBy('reference')
    .limit(1)
    .executeTakeFirst();
  if (last) return { kind: 'case', reference: last.reference };
  const waiting = withheld(db, bytes)
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .where('accounts.closed_at', 'is', null);
  return (await waiting.select('files.id').limit(1).executeTakeFirst()) ? { kind: 'quarantine' } : null;
}
