import type { Context } from '../../context.ts';
import { markMovingIn, readMark } from '../../engines/blobs/storage-owner.ts';
import { placesOf, readMove } from '../../engines/database/moves.ts';
import { acceptChanges, removeTriggers } from '../../engines/database/read-only.ts';
import type { MoveRow } from '../../engines/database/schema.ts';
import { type Actor, recordAction } from '../record-action.ts';
import { holdBegun, type HoldOptions } from './hold-move.ts';
import type { Targets } from './targets.ts';
import { UnusableMove } from './unusable-move.ts';

/** Returns the move that `cancelMove` would cancel; null if there is none. */
export const moveToCancel = ({ db }: Pick<Context, 'db'>): Promise<MoveRow | null> => readMove(db, 'out');

/**
 * Ends a move without moving: the service accepts changes here again. After a move has ended, it closes the targets first,
 * as far as they are given, so that no server starts there.
 * @throws {UnusableMove} when there is nothing to cancel, or a server has started in the new place.
 */
export async function cancelMove(
  context: Context,
  actor: Actor,
  targets: Targets,
  options: HoldOptions,
): Promise<MoveRow['stage']> {
  const { db, blobs, clock } = context;
  await using held = await holdBegun(context, options);
  const { row, holder } = held;
  if (row.stage === 'finishing')
    throw new UnusableMove("The move is about to end. Run 'holdfast move' again, and cancel it then.");
  if (row.stage === 'moved') {
    await closeTargets(context, row, targets);
    await backToReadOnly(context, holder);
  }
  if ((await readMark(blobs))?.is === 'moved out') await blobs.markService(row.service);
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .deleteFrom('moves')
      .where('direction', '=', 'out')
      .where('stage', 'in', ['copying', 'read-only'])
      .where('holder', '=', holder)
      .executeTakeFirst();
    if (Number(ended.numDeletedRows) === 0) throw new UnusableMove("Another 'holdfast move' has taken over.");
    await acceptChanges(tx);
    await recordAction({ db: tx, clock }, actor, { subject: placesOf(row), details: { canceled: row.stage } });
  });
  await removeTriggers(db);
  return row.stage;
}

async function closeTargets({ blobs }: Context, row: MoveRow, { database, bytes }: Targets): Promise<void> {
  if (row.bytes_to !== '' && (await readMark(blobs))?.is !== 'moved out')
    throw new UnusableMove('Set BLOBS_URL to the storage that the service has left.');
  if (database) {
    const closed = await database.at
      .updateTable('moves')
      .set({ stage: 'copying' })
      .where('direction', '=', 'in')
      .where('service', '=', row.service)
      .executeTakeFirst();
    if (Number(closed.numUpdatedRows) === 0)
      throw new UnusableMove(
        `The service has run on ${database.place} since. Move it back from there, so that nothing is lost.`,
      );
  }
  if (bytes) await markMovingIn(bytes.at, row.service);
}

/** From now on no server ends the move by starting in the new place. */
async function backToReadOnly({ db }: Context, holder: string): Promise<void> {
  const back = await db
    .updateTable('moves')
    .set({ stage: 'read-only' })
    .where('direction', '=', 'out')
    .where('stage', '=', 'moved')
    .where('holder', '=', holder)
    .executeTakeFirst();
  if (Number(back.numUpdatedRows) === 0)
    throw new UnusableMove('A server has started in the new place, so there is nothing to cancel.');
}
