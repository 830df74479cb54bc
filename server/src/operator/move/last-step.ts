import { randomUUID } from 'node:crypto';
import { PostgresAdapter, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { markAs } from '../../storage/blobs/storage-owner.ts';
import type { Database, Transaction } from '../../storage/db/database.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { placesOf, readMove } from '../../storage/db/moves.ts';
import { refuseChanges } from '../../storage/db/read-only.ts';
import { type Actor, recordAction } from '../../storage/db/record-action.ts';
import { allowChangesToActions, refuseChangesToActions } from '../../storage/db/refuse-changes-to-actions.ts';
import type { MoveRow } from '../../storage/db/schema.ts';
import { type CopyOptions, copyRows, movedTables, runningNotes } from '../backup/copy-rows.ts';
import { type Targets, UnusableMove } from './targets.ts';

/** Nobody may change them during the last step. A newer version must not migrate the database either. */
export const stillTables: readonly string[] = [...Object.keys(movedTables), 'migrations'];

/**
 * Changes the note on a move, unless another command has changed it meanwhile. `still` names one time in which nothing
 * changes: rows that were copied in another one are copied again.
 */
export async function changeMove(
  db: Database,
  { direction, stage, still }: Pick<MoveRow, 'direction' | 'stage' | 'still'>,
  columns: Partial<Pick<MoveRow, 'stage' | 'stage_since' | 'still'>>,
): Promise<boolean> {
  const changed = await db
    .updateTable('moves')
    .set(columns)
    .where('direction', '=', direction)
    .where('stage', '=', stage)
    .where('still', '=', still)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

const takenOver = () => new UnusableMove("Another 'holdfast move' works on this service. Wait for its end.");

export async function refuseChangesForMove(context: Context, actor: Actor, row: MoveRow): Promise<MoveRow> {
  const readOnly = { stage: 'read-only', stage_since: context.clock.now(), still: randomUUID() } as const;
  const { database_to, bytes_to } = row;
  await context.db.transaction().execute(async (tx) => {
    if (!(await changeMove(tx, row, readOnly))) throw takenOver();
    const details = { database_to, bytes_to };
    await recordAction({ ...context, db: tx }, actor, { subject: placesOf(row), details });
    await refuseChanges(tx, stillTables);
  });
  return { ...row, ...readOnly };
}

/** Locks the note: a command that was stopped for hours must not write to a database that another one has completed. */
export async function copyAllRows(db: Database, to: Database, still: string, options: CopyOptions) {
  return to.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('moves').select('direction').where('direction', '=', 'in'));
    const incoming = await readMove(tx, 'in');
    if (incoming?.stage !== 'copying') throw takenOver();
    if (incoming.still === still) return null;
    const tables = { ...movedTables, ...runningNotes };
    await emptyTables(tx, Object.keys(tables));
    const rows = await copyRows(db, tx, tables, options);
    await changeMove(tx, incoming, { still });
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

/**
 * From its first statement on, no process accepts changes here any more, and only after the last one a server starts in
 * the new place. Killed at any point, another call ends it.
 */
export async function endLastStep(
  { db, clock, blobs }: Context,
  { database, bytes }: Targets,
  row: MoveRow,
): Promise<void> {
  const { service, still } = row;
  const advance = async (from: MoveRow['stage'], to: MoveRow['stage']) => {
    const changed = await changeMove(db, { ...row, stage: from }, { stage: to, stage_since: clock.now() });
    if (!changed) throw takenOver();
  };
  if (row.stage === 'read-only') await advance('read-only', 'finishing');
  if (bytes) {
    await markAs(blobs, { is: 'moved-out', service });
    await bytes.at.markService(service);
  }
  const arriving = { direction: 'in', stage: 'copying', still } as const;
  // An earlier run may have come as far, and a server may have started since.
  if (database) await changeMove(database.at, arriving, { stage: 'arrived', stage_since: clock.now() });
  await advance('finishing', 'moved');
}
