import type { Logger } from 'pino';
import { setTimeout as wait } from 'node:timers/promises';
import { minutes, seconds, timeText } from '../../lib/clock.ts';
import type { Database } from './database.ts';
import { acceptChanges } from './read-only.ts';
import type { MoveRow } from './schema.ts';
import { OperatorError } from '../../lib/operator-error.ts';

export class OtherPlace extends OperatorError {
  override readonly name = 'OtherPlace';
}

export async function readMove(db: Database, direction: MoveRow['direction']): Promise<MoveRow | null> {
  return (await db.selectFrom('moves').selectAll().where('direction', '=', direction).executeTakeFirst()) ?? null;
}

export async function isReadOnly(db: Database): Promise<boolean> {
  const move = await readMove(db, 'out');
  return move !== null && move.stage !== 'copying';
}

export const placesOf = ({ database_to, bytes_to }: Pick<MoveRow, 'database_to' | 'bytes_to'>): string =>
  [database_to, bytes_to].filter((place) => place !== '').join(' and ');

/** If the bytes alone were moved, the storage tells. */
export async function refuseOtherPlace(db: Database): Promise<void> {
  if ((await readMove(db, 'in'))?.stage === 'copying')
    throw new OtherPlace(
      "A service is being moved into this database, and that has not finished: run 'holdfast move' again where it was " +
        'started, or set DATABASE_URL to another one.',
    );
  const out = await readMove(db, 'out');
  if (out?.stage === 'finishing')
    throw new OtherPlace(`This service is being moved to ${placesOf(out)}: run 'holdfast move' again to finish it.`);
  if (out?.stage === 'moved' && out.database_to !== '')
    throw new OtherPlace(
      `This service was moved to ${placesOf(out)} at ${timeText(out.stage_since)}. Change the settings as 'holdfast ` +
        "move' printed them, or run 'holdfast move --cancel' to return to this place.",
    );
}

interface Arriving {
  readonly hasNewStorage: () => Promise<boolean>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export async function endMove(db: Database, { hasNewStorage, now, log }: Arriving): Promise<void> {
  if (await deleteNote(db, 'in', 'arrived')) log.info('the service runs in its new place from now on');
  if ((await readMove(db, 'out'))?.stage !== 'moved' || !(await hasNewStorage())) return;
  await untilOthersEnd(db, { now, log });
  await db.transaction().execute(async (tx) => {
    if (await deleteNote(tx, 'out', 'moved')) await acceptChanges(tx);
  });
  log.info('the service has its new storage from now on, and accepts changes again');
}

async function deleteNote(db: Database, direction: MoveRow['direction'], stage: MoveRow['stage']): Promise<boolean> {
  const deleted = await db
    .deleteFrom('moves')
    .where('direction', '=', direction)
    .where('stage', '=', stage)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows) > 0;
}

/** A running process renews its row every minute; see `jobs/heartbeat`. */
const runningFor = seconds(150);
const longestWait = minutes(3);

/** They may still have the earlier storage. */
async function untilOthersEnd(db: Database, { now, log }: Pick<Arriving, 'now' | 'log'>): Promise<void> {
  const startedAt = performance.now();
  const running = () =>
    db
      .selectFrom('processes')
      .select('id')
      .where('seen_at', '>', now() - runningFor)
      .execute();
  for (let told = false; (await running()).length > 0; told = true) {
    if (performance.now() - startedAt > longestWait)
      throw new OtherPlace(
        'Processes of this service still run with its earlier storage. Stop them, then start again.',
      );
    if (!told) log.warn('waiting for processes that have the earlier storage to end');
    await wait(seconds(1));
  }
}
