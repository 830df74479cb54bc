import type { Context } from '../../context.ts';
import { markAs, readMark } from '../../storage/blobs/storage-owner.ts';
import { placesOf, readMove } from '../../storage/db/moves.ts';
import { acceptChanges } from '../../storage/db/read-only.ts';
import { type Actor, recordAction } from '../../storage/db/record-action.ts';
import type { MoveRow } from '../../storage/db/schema.ts';
import { changeMove } from './last-step.ts';
import { type Targets, UnusableMove } from './targets.ts';

/** After a move has ended, it closes the targets, as far as they are given, so that no server starts there. */
export async function cancelMove(
  { db, blobs, clock }: Context,
  actor: Actor,
  { database, bytes }: Targets,
): Promise<MoveRow['stage']> {
  const row = await readMove(db, 'out');
  if (!row) throw new UnusableMove('This service is not being moved.');
  const { stage, service, still } = row;
  if (stage === 'finishing')
    throw new UnusableMove("The move is about to end. Run 'holdfast move' again, and cancel it then.");
  const hasLeft = (await readMark(blobs))?.is === 'moved-out';
  if (stage === 'moved' && row.bytes_to !== '' && !hasLeft)
    throw new UnusableMove('Set BLOBS_URL to the storage that the service has left.');
  if (stage === 'moved' && database) {
    const arrived = await readMove(database.at, 'in');
    const isClosed = arrived?.service === service && (await changeMove(database.at, arrived, { stage: 'copying' }));
    if (!isClosed) throw new UnusableMove(`The service has run on ${database.place} since. Move it back from there.`);
  }
  await db.transaction().execute(async (tx) => {
    const note = tx.deleteFrom('moves').where('direction', '=', 'out').where('stage', '=', stage);
    const ended = await note.where('still', '=', still).executeTakeFirst();
    if (ended.numDeletedRows === 0n)
      throw new UnusableMove('The move has gone on, or a server has started in the new place. Look again.');
    await acceptChanges(tx);
    await recordAction({ db: tx, clock }, actor, { subject: placesOf(row), details: { canceled: stage } });
  });
  if (hasLeft) await blobs.markService(service);
  if (stage === 'moved' && bytes) await markAs(bytes.at, { is: 'moving-in', service });
  return stage;
}
