import type { Logger } from 'pino';
import { setTimeout as wait } from 'node:timers/promises';
import { minutes, seconds, timeText } from '../../lib/clock.ts';
import type { Database } from './database.ts';
import { acceptChanges, removeTriggers } from './read-only.ts';
import type { MoveRow } from './schema.ts';

export class OtherPlace extends Error {
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

/** If the bytes alone were moved, other processes may still have the earlier storage. */
export async function endMove(db: Database, { hasNewStorage, now, log }: Arriving): Promise<void> {
  const arrived = await db
    .deleteFrom('moves')
    .where('direction', '=', 'in')
    .where('stage', '=', 'arrived')
    .executeTakeFirst();
  if (Number(arrived.numDeletedRows) > 0) log.info('the service runs in its new place from now on');
  if ((await readMove(db, 'out'))?.stage !== 'moved' || !(await hasNewStorage())) return;
  await untilOthersEnd(db, { now, log });
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .deleteFrom('moves')
      .where('direction', '=', 'out')
      .where('stage', '=', 'moved')
      .executeTakeFirst();
    if (Number(ended.numDeletedRows) > 0) await acceptChanges(tx);
  });
  await removeTriggers(db);
  log.info('the service has its new storage from now on, and accepts changes again');
}

/** A running process renews its row every minute; see `jobs/heartbeat`. */
const runningFor = seconds(150);
const longestWait = minutes(3);

async function untilOthersEnd(db: Database, { now, log }: Pick<Arriving, 'now' | 'log'>): Promise<void> {
  const startedAt = performance.now();
  for (let told = false; ; told = true) {
    const running = await db
      .selectFrom('processes')
      .select('id')
      .where('seen_at', '>', now() - runningFor)
      .execute();
    if (running.length === 0) return;
    if (performance.now() - startedAt > longestWait)
      throw new OtherPlace(
        'Processes of this service still run with its earlier storage. Stop them, then start again.',
      );
    if (!told) log.warn({ processes: running.length }, 'waiting for processes that have the earlier storage to end');
    await wait(seconds(1));
  }
}
