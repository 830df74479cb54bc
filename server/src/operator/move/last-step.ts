import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { markMovedOut } from '../../engines/blobs/storage-owner.ts';
import {
  type Database,
  DatabaseReadOnly,
  DatabaseUnavailable,
  type Transaction,
} from '../../engines/database/database.ts';
import { lockRows } from '../../engines/database/lock-rows.ts';
import { placesOf, readMove } from '../../engines/database/moves.ts';
import { acceptChanges, refuseChanges, removeTriggers } from '../../engines/database/read-only.ts';
import type { MoveRow } from '../../engines/database/schema.ts';
import { minutes, seconds } from '../../lib/clock.ts';
import { type Actor, recordAction } from '../record-action.ts';
import { emptyTables } from './copy-rows.ts';
import type { HeldMove } from './hold-move.ts';
import { stillTables } from './tables.ts';
import { placesIn, type Targets } from './targets.ts';
import { UnusableMove } from './unusable-move.ts';

type Parts = Pick<Context, 'db' | 'clock'>;

/** A job may write for a while in one transaction, and a command too. */
const longestWait = minutes(2);

/** Refuses changes by every process of the service from now on; its files are still served. */
export async function refuseChangesForMove(
  { db, clock }: Parts,
  actor: Actor,
  { holder, signal }: Pick<HeldMove, 'holder' | 'signal'>,
  targets: Targets,
): Promise<void> {
  const places = placesIn(targets);
  const refuse = () =>
    db.transaction().execute(async (tx) => {
      const begun = await tx
        .updateTable('moves')
        .set({ stage: 'read-only', stage_since: clock.now(), still: randomUUID() })
        .where('direction', '=', 'out')
        .where('stage', '=', 'copying')
        .where('holder', '=', holder)
        .executeTakeFirst();
      if (Number(begun.numUpdatedRows) === 0) throw takenOver();
      await recordAction({ db: tx, clock }, actor, { subject: placesOf(places), details: places });
      await refuseChanges(tx, stillTables);
    });
  const startedAt = performance.now();
  for (;;)
    try {
      return await refuse();
    } catch (error) {
      // A transaction that is under way keeps the triggers out for longer than a statement waits.
      const mayWait = error instanceof DatabaseUnavailable && !(error instanceof DatabaseReadOnly);
      if (!mayWait || performance.now() - startedAt > longestWait) throw error;
      await wait(seconds(1), undefined, { signal });
    }
}

/** Accepts changes again after a last step that did not end. What it has copied is copied anew by the next one. */
export async function returnToCopying({ db, clock }: Parts, { holder }: Pick<HeldMove, 'holder'>): Promise<boolean> {
  const isBack = await db.transaction().execute(async (tx) => {
    const returned = await tx
      .updateTable('moves')
      .set({ stage: 'copying', stage_since: clock.now(), still: '' })
      .where('direction', '=', 'out')
      .where('stage', '=', 'read-only')
      .where('holder', '=', holder)
      .executeTakeFirst();
    if (Number(returned.numUpdatedRows) === 0) return false;
    await acceptChanges(tx);
    return true;
  });
  if (isBack) await removeTriggers(db);
  return isBack;
}

/**
 * Prepares the target for the rows of this last step: those of an earlier one are removed, unless it was the same. Returns
 * a guard for each transaction that copies rows: a command that went on after it was stopped for hours must not write to
 * a database that another command has completed, or that a server uses.
 */
export async function prepareForRows({ db }: Parts, to: Database): Promise<(tx: Transaction) => Promise<void>> {
  const still = (await readMove(db, 'out'))?.still ?? '';
  await to.transaction().execute(async (tx) => {
    if ((await lockIncoming(tx)).still === still) return;
    await emptyTables(tx);
    await tx.updateTable('moves').set({ still }).where('direction', '=', 'in').execute();
  });
  return async (tx) => {
    if ((await lockIncoming(tx)).still !== still) throw takenOver();
  };
}

async function lockIncoming(tx: Transaction): Promise<MoveRow> {
  await lockRows(tx, tx.selectFrom('moves').select('direction').where('direction', '=', 'in'));
  const row = await readMove(tx, 'in');
  if (row?.stage !== 'copying') throw takenOver();
  return row;
}

const takenOver = () => new UnusableMove("Another 'holdfast move' has taken over.");

/**
 * Ends a move whose copies are complete. From the first statement on, no process accepts changes here any more, and only
 * after the last one a server starts in the new place. Killed at any point, another call ends it.
 * @throws {UnusableMove} when the service has accepted changes since.
 */
export async function endLastStep(
  { db, clock, blobs }: Pick<Context, 'db' | 'clock' | 'blobs'>,
  { holder }: Pick<HeldMove, 'holder'>,
  { database, bytes }: Targets,
): Promise<void> {
  const { service, stage, still } = (await readMove(db, 'out')) ?? {};
  const advance = async (from: 'read-only' | 'finishing', to: 'finishing' | 'moved') => {
    const advanced = await db
      .updateTable('moves')
      .set({ stage: to, stage_since: clock.now() })
      .where('direction', '=', 'out')
      .where('stage', '=', from)
      .where('holder', '=', holder)
      .executeTakeFirst();
    if (Number(advanced.numUpdatedRows) === 0) throw takenOver();
  };
  if (stage === 'read-only') await advance('read-only', 'finishing');
  if (service === undefined || still === undefined) throw new UnusableMove('This service is not being moved.');
  if (bytes) {
    await markMovedOut(blobs, service);
    await bytes.at.markService(service);
  }
  if (database) await arrive(database.at, still, clock.now());
  await advance('finishing', 'moved');
}

/** An earlier run may have come as far, and a server may have started since. */
async function arrive(db: Database, still: string, now: number): Promise<void> {
  await db
    .updateTable('moves')
    .set({ stage: 'arrived', stage_since: now })
    .where('direction', '=', 'in')
    .where('stage', '=', 'copying')
    .where('still', '=', still)
    .execute();
  if ((await readMove(db, 'in'))?.stage === 'copying') throw takenOver();
}
