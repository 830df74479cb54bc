import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PostgresAdapter, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { markAs } from '../../storage/blobs/storage-owner.ts';
import { DatabaseReadOnly, DatabaseUnavailable, type Transaction } from '../../storage/db/database.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { placesOf, readMove } from '../../storage/db/moves.ts';
import { acceptChanges, refuseChanges } from '../../storage/db/read-only.ts';
import { allowChangesToActions, refuseChangesToActions } from '../../storage/db/refuse-changes-to-actions.ts';
import type { MoveRow } from '../../storage/db/schema.ts';
import { seconds } from '../../lib/clock.ts';
import { type CopyOptions, copyRows, movedTables, runningNotes } from '../backup/copy-rows.ts';
import { type Actor, recordAction } from '../audit.ts';
import { type Targets, UnusableMove } from './targets.ts';

type Parts = Pick<Context, 'db' | 'clock'>;

/** `still` names one time in which nothing changes: rows that were copied in another one are copied again. */
type Still = Pick<MoveRow, 'still'>;

/** Nobody may change them during the last step. A newer version must not migrate the database either. */
export const stillTables: readonly string[] = [...Object.keys(movedTables), 'migrations'];

const mostTries = 60;

export async function refuseChangesForMove({ db, clock }: Parts, actor: Actor, signal: AbortSignal): Promise<MoveRow> {
  const refuse = () =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .updateTable('moves')
        .set({ stage: 'read-only', stage_since: clock.now(), still: randomUUID() })
        .where('direction', '=', 'out')
        .where('stage', '=', 'copying')
        .returningAll()
        .executeTakeFirst();
      if (!row) throw takenOver();
      const { database_to, bytes_to } = row;
      await recordAction({ db: tx, clock }, actor, { subject: placesOf(row), details: { database_to, bytes_to } });
      await refuseChanges(tx, stillTables);
      return row;
    });
  for (let tries = 1; ; tries += 1)
    try {
      return await refuse();
    } catch (error) {
      // A transaction that is under way keeps the triggers out for longer than a statement waits.
      const mayWait = error instanceof DatabaseUnavailable && !(error instanceof DatabaseReadOnly);
      if (!mayWait || tries === mostTries) throw error;
      await wait(seconds(1), undefined, { signal });
    }
}

/** Accepts changes again after a last step that did not end. Returns false if it is about to end. */
export async function returnToCopying({ db, clock }: Parts, { still }: Still): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const returned = await tx
      .updateTable('moves')
      .set({ stage: 'copying', stage_since: clock.now(), still: '' })
      .where('direction', '=', 'out')
      .where('stage', '=', 'read-only')
      .where('still', '=', still)
      .executeTakeFirst();
    if (Number(returned.numUpdatedRows) === 0) return false;
    await acceptChanges(tx);
    return true;
  });
}

/**
 * Copies all rows in one transaction of the target, which is empty or has those of an earlier time. It locks the note on
 * the move: a command that was stopped for hours must not write to a database that another one has completed.
 */
export async function copyAllRows({ db }: Parts, { database }: Targets, { still }: Still, options: CopyOptions) {
  if (!database) return null;
  return database.at.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('moves').select('direction').where('direction', '=', 'in'));
    const incoming = await readMove(tx, 'in');
    if (incoming?.stage !== 'copying') throw takenOver();
    if (incoming.still === still) return null;
    const tables = { ...movedTables, ...runningNotes };
    await emptyTables(tx, Object.keys(tables));
    const rows = await copyRows(db, tx, tables, options);
    await tx.updateTable('moves').set({ still }).where('direction', '=', 'in').execute();
    return rows;
  });
}

async function emptyTables(tx: Transaction, tables: readonly string[]): Promise<void> {
  await allowChangesToActions(tx);
  if (tx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`TRUNCATE ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx);
  else for (const table of tables.toReversed()) await sql`DELETE FROM ${sql.table(table)}`.execute(tx);
  await refuseChangesToActions(tx);
}

const takenOver = () => new UnusableMove("Another 'holdfast move' works on this service. Wait for its end.");

/**
 * Ends a move whose copies are complete. From the first statement on, no process accepts changes here any more, and only
 * after the last one a server starts in the new place. Killed at any point, another call ends it.
 */
export async function endLastStep(
  { db, clock, blobs }: Pick<Context, 'db' | 'clock' | 'blobs'>,
  { database, bytes }: Targets,
  { service, stage, still }: MoveRow,
): Promise<void> {
  const advance = async (from: 'read-only' | 'finishing', to: 'finishing' | 'moved') => {
    const advanced = await db
      .updateTable('moves')
      .set({ stage: to, stage_since: clock.now() })
      .where('direction', '=', 'out')
      .where('stage', '=', from)
      .where('still', '=', still)
      .executeTakeFirst();
    if (Number(advanced.numUpdatedRows) === 0) throw takenOver();
  };
  if (stage === 'read-only') await advance('read-only', 'finishing');
  if (bytes) {
    await markAs(blobs, { is: 'moved-out', service });
    await bytes.at.markService(service);
  }
  // An earlier run may have come as far, and a server may have started since.
  await database?.at
    .updateTable('moves')
    .set({ stage: 'arrived', stage_since: clock.now() })
    .where('direction', '=', 'in')
    .where('stage', '=', 'copying')
    .where('still', '=', still)
    .execute();
  await advance('finishing', 'moved');
}
