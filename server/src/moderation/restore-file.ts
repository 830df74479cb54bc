import { Failure } from '@holdfast/contract/src/errors.ts';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { warnAnew } from '../accounts/dormancy-rules.ts';
import { planOf } from '../accounts/plan-of.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { restoredEmail } from '../email/templates.ts';
import { noteActivity } from '../files/remove-files.ts';
import { reserveQuota } from '../accounts/quota.ts';
import { isOfBytes } from '../storage/blobs/blobs.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { type Actor, recordAction } from '../storage/db/record-action.ts';
import { blobBefore, blobWith, type FoundBytes, goneForGood, type Hold, holdsOn, wordsFor } from './find-file.ts';

interface Order {
  readonly actor: Actor;
  readonly bytes: FoundBytes;
  /** The hold that is over. Null for files that waited for quota when it was lifted. */
  readonly hold: Hold | null;
  readonly overQuota: boolean;
  readonly dryRun?: boolean;
}

interface Restoring extends Order {
  readonly context: Context;
  readonly tx: Transaction;
  readonly now: number;
}

interface RestoredFiles {
  readonly account: string;
  readonly files: number;
  readonly outcome: 'restored' | 'over quota' | 'account closed' | 'bytes deleted';
}

export type Restoration = Awaited<ReturnType<typeof restore>>;

/**
 * Ends the hold. Withheld files become live again under the same names, unless something else holds the bytes too. If
 * all of them wait for quota, the hold stays, because unheld bytes are purged. If the storage has lost the bytes, the next
 * upload of them brings them, which a hold would refuse.
 */
export async function restore(context: Context, order: Order) {
  const { bytes, hold, dryRun = false } = order;
  const { sha256 } = bytes;
  const isMissing = await context.blobs.size(bytes.blobId).then(
    () => false,
    (error: unknown) => {
      if (isOfBytes(error)) return true;
      throw error;
    },
  );
  return transaction(context.db, dryRun, async (tx) => {
    const owners = withheld(tx, bytes).select('account_id');
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', 'in', owners).orderBy('id'));
    const blob = tx.selectFrom('blobs').select('id').where('id', '=', bytes.blobId).where('sha256', '=', sha256);
    await lockRows(tx, blob);
    // Without a row the bytes belong to the purge, which may delete them at any moment. Only their hold can end.
    const isStored = (await blob.executeTakeFirst()) !== undefined;
    if (!isStored && hold === null) throw goneForGood(bytes);
    const restoring = { ...order, context, tx, now: context.clock.now() };
    const others = (await holdsOn(tx, bytes)).filter((each) => hold === null || wordsFor(each) !== wordsFor(hold));
    const accounts: RestoredFiles[] = [];
    for (const owner of others.length > 0 ? [] : await ownersOf(tx, bytes))
      accounts.push(await restoreFilesOf(restoring, owner, isStored));
    const hasOutcome = (outcome: RestoredFiles['outcome']) => accounts.some((each) => each.outcome === outcome);
    const isOver = hasOutcome('restored') || !hasOutcome('over quota');
    if (isOver && !hasOutcome('restored')) {
      await withdrawNotices(restoring);
      await noteAction(restoring, referenceOf(hold), { files: 0, ...(others.length > 0 && { stillHeld: true }) });
    }
    if (isOver) await endHold(restoring, others[0]);
    const ended = isOver && others.length === 0;
    return { sha256, accounts, still_held_by: others.map(wordsFor), ended, bytes_lost: isStored && isMissing };
  });
}

/** A dry run is rolled back. */
async function transaction<T>(db: Database, dryRun: boolean, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const undo = new Error('A dry run');
  let result: { readonly of: T } | undefined;
  try {
    return await db.transaction().execute(async (tx) => {
      result = { of: await work(tx) };
      if (dryRun) throw undo;
      return result.of;
    });
  } catch (error) {
    if (error !== undo || !result) throw error;
    return result.of;
  }
}

const withheld = (db: Database, { blobId }: FoundBytes) =>
  db
    .selectFrom('files')
    .where('files.blob_id', '=', blobId)
    .where('files.deleted_because', 'in', ['malware', 'takedown']);

/** Ends the hold. The bytes are held by the next one from now on, or free. */
async function endHold({ tx, now, bytes, hold }: Restoring, next: Hold | undefined): Promise<void> {
  const { blobId, sha256 } = bytes;
  const reason = next && (next.kind === 'case' ? 'takedown' : 'malware');
  await tx
    .updateTable('blobs')
    .set(
      reason
        ? { held_for: reason }
        : {
            held_for: null,
            held_at: null,
            unused_since: sql<number | null>`CASE WHEN used_by = 0 THEN cast(${now} AS bigint) END`,
          },
    )
    .where('id', '=', blobId)
    .execute();
  if (reason)
    await tx
      .updateTable('blocked_digests')
      .set({ reason, ...(next.kind === 'case' && { reference: next.reference }) })
      .where('sha256', '=', sha256)
      .execute();
  else await tx.deleteFrom('blocked_digests').where('sha256', '=', sha256).execute();
  if (hold?.kind === 'quarantine')
    await tx
      .updateTable('blobs')
      .set({ scan_state: 'clean', scanned_at: now, scan_tries: 0 })
      .where('id', '=', blobId)
      .execute();
  if (hold?.kind === 'case')
    await tx
      .updateTable('takedown_cases')
      .set({ closed_at: now })
      .where('reference', '=', hold.reference)
      .where('sha256', '=', sha256)
      .where('closed_at', 'is', null)
      .execute();
}

/** The case no longer counts against those whose files another hold keeps. */
async function withdrawNotices({ tx, now, bytes, hold }: Restoring): Promise<void> {
  if (hold?.kind !== 'case') return;
  const notices = tx.updateTable('takedowns').set({ restored_at: now }).where('reference', '=', hold.reference);
  await notices.where('sha256', '=', bytes.sha256).where('restored_at', 'is', null).execute();
}

type Owner = Awaited<ReturnType<typeof ownersOf>>[number];

function ownersOf(tx: Transaction, bytes: FoundBytes) {
  return withheld(tx, bytes)
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select(['accounts.id', 'email', 'level', 'own_limits', 'closed_at'])
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      sql<number>`cast(coalesce(sum(files.size), 0) as bigint)`.as('size'),
    ])
    .groupBy('accounts.id')
    .orderBy('accounts.id')
    .execute();
}

const noLimits = { spaceQuota: unlimited, slotsQuota: unlimited };

async function restoreFilesOf(restoring: Restoring, owner: Owner, isStored: boolean): Promise<RestoredFiles> {
  const { context, tx, overQuota } = restoring;
  const { email: account, files, size } = owner;
  if (!isStored) return { account, files, outcome: 'bytes deleted' };
  if (owner.closed_at !== null) return { account, files, outcome: 'account closed' };
  const plan = overQuota ? noLimits : planOf(context, owner);
  if (!(await reserveQuota(tx, owner.id, plan, size, files))) return { account, files, outcome: 'over quota' };
  await warnAnew(tx, owner.id);
  await bringBack(restoring, owner);
  return { account, files, outcome: 'restored' };
}

const rowsPerInsert = 500;
const namedInEmail = 20;

async function bringBack(restoring: Restoring, { id: accountId, email }: Owner): Promise<void> {
  const { context, tx, now, bytes, hold, overQuota } = restoring;
  const files = await tx
    .updateTable('files')
    .set({ deleted_at: null, deleted_because: null, returned_at: now })
    .where('account_id', '=', accountId)
    .where('blob_id', '=', bytes.blobId)
    .where('deleted_because', 'in', ['malware', 'takedown'])
    .returning(['name', 'original_name', 'size'])
    .execute();
  await tx
    .updateTable('blobs')
    .set((eb) => ({ used_by: eb('used_by', '+', files.length) }))
    .where('id', '=', bytes.blobId)
    .execute();
  const notices = await tx
    .updateTable('takedowns')
    .set({ restored_at: now })
    .where('account_id', '=', accountId)
    .where('sha256', '=', bytes.sha256)
    .where('restored_at', 'is', null)
    .returning('reference')
    .execute();
  for (let at = 0; at < files.length; at += rowsPerInsert)
    await noteActivity(tx, { accountId, event: 'restored', now }, files.slice(at, at + rowsPerInsert));
  const reference = hold ? referenceOf(hold) : (notices[0]?.reference ?? null);
  const returned = { files: files.length, some: files.slice(0, namedInEmail) };
  await queueEmail({ ...context, db: tx }, restoredEmail(context, email, reference, returned));
  await noteAction(restoring, reference, { files: files.length, account: accountId, overQuota });
}

const referenceOf = (hold: Hold | null) => (hold?.kind === 'case' ? hold.reference : null);

function noteAction({ context, tx, actor, bytes, hold }: Restoring, reference: string | null, details: object) {
  return recordAction({ ...context, db: tx }, actor, {
    subject: bytes.name ?? bytes.sha256,
    reference,
    details: { sha256: bytes.sha256, lifts: hold?.kind, ...details },
  });
}

export async function bytesOfCase({ db }: Pick<Context, 'db'>, reference: string): Promise<FoundBytes[]> {
  const cases = db.selectFrom('takedown_cases').select('sha256').where('reference', '=', reference);
  const blocks = db.selectFrom('blocked_digests').select('sha256').where('reference', '=', reference);
  const rows = await db
    .selectFrom(cases.union(blocks.where('reason', '=', 'takedown')).as('taken'))
    .select('sha256')
    .orderBy('sha256')
    .execute();
  if (rows.length === 0) throw new Failure('FILE_NOT_FOUND', `No file was taken down for the case '${reference}'.`);
  return Promise.all(
    rows.map(async ({ sha256 }) => ({
      sha256,
      blobId: (await blobWith(db, sha256)) ?? (await blobBefore(db, sha256)),
      name: null,
    })),
  );
}

/** Returns the only hold on these bytes, or null if nothing holds them and an account still waits for quota. */
export async function onlyHoldOn({ db }: Pick<Context, 'db'>, bytes: FoundBytes): Promise<Hold | null> {
  const [only, ...more] = await holdsOn(db, bytes);
  const named = bytes.name ?? bytes.sha256;
  if (only && more.length > 0)
    throw new Failure(
      'INVALID_INPUT',
      `'${named}' is held by ${[only, ...more].map(wordsFor).join(' and ')}. ` +
        'Say which one is over, with --case or --quarantine.',
    );
  if (only) return only;
  const waiting = withheld(db, bytes).innerJoin('accounts', 'accounts.id', 'files.account_id');
  if (await waiting.select('files.id').where('closed_at', 'is', null).limit(1).executeTakeFirst()) return null;
  throw new Failure('FILE_NOT_FOUND', `'${named}' is neither taken down nor in quarantine.`);
}
