import { setTimeout } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { seconds } from '../lib/clock.ts';
import { processCounts } from '../lib/process-counts.ts';
import { type Database, DatabaseReadOnly, DatabaseUnavailable } from '../storage/db/database.ts';
import { skipLocked } from '../storage/db/lock-rows.ts';
import type { FileResponse } from './file-response.ts';
import { dayOf, noteHitDays } from './hit-days.ts';

const flushEvery = seconds(1);
const rowsPerStatement = 500;
const longestWrite = seconds(1);
/** Counted while the database is away: about 20 MB. */
const mostFiles = 100_000;

export interface HitCounter extends AsyncDisposable {
  note(fileId: string, use: Use): void;
  writeAccess(fileId: string): Promise<void>;
  flush(): Promise<void>;
}

type Use = 'hit' | 'access' | null;

/** A bot's preview is no hit, but people see the file in the chat, so auto-delete must keep it. */
export function useOf(method: string, { status, sendsFirstByte }: FileResponse, isPreview: boolean): Use {
  if (sendsFirstByte && !isPreview) return 'hit';
  return method === 'GET' && (status === 200 || status === 206 || status === 304) ? 'access' : null;
}

interface Tally {
  readonly hits: number;
  readonly lastAccessedAt: number;
}
type Tallies = Map<string, Tally>;

type Parts = Pick<Context, 'db' | 'clock' | 'log' | 'reports'>;

/** Hits are kept in memory and written once a second and at shutdown. */
export function openHitCounter({ db, clock, log, reports }: Parts): HitCounter {
  let tallies: Tallies = new Map();
  let flushing: Promise<void> = Promise.resolve();
  /** Files whose first hit of the day is noted. */
  let noted = { day: 0, files: new Set<string>() };
  const add = (fileId: string, hits: number, lastAccessedAt: number) => {
    const tally = tallies.get(fileId);
    if (!tally && tallies.size >= mostFiles) return;
    tallies.set(fileId, {
      hits: hits + (tally?.hits ?? 0),
      lastAccessedAt: Math.max(lastAccessedAt, tally?.lastAccessedAt ?? 0),
    });
  };
  const noteDays = async (batch: Tallies) => {
    const day = dayOf(clock.now());
    if (noted.day !== day || noted.files.size > mostFiles) noted = { day, files: new Set() };
    const first = [...batch].flatMap(([id, { hits }]) => (hits > 0 && !noted.files.has(id) ? id : []));
    if (first.length === 0) return;
    await noteHitDays(db, first, day);
    for (const id of first) noted.files.add(id);
  };
  const flushNow = async () => {
    const batch = [...tallies];
    tallies = new Map();
    let isAway = false;
    for (let from = 0; from < batch.length; from += rowsPerStatement) {
      const unwritten = new Map(batch.slice(from, from + rowsPerStatement));
      try {
        if (!isAway) {
          await noteDays(unwritten);
          await writeTallies(db, unwritten);
        }
      } catch (error) {
        if (!(error instanceof DatabaseReadOnly))
          log.warn({ err: error }, 'hits could not be written; they are kept in memory and retried every second');
        isAway = error instanceof DatabaseUnavailable;
        if (!isAway) reports.report(error, 'hits');
      }
      for (const [fileId, { hits, lastAccessedAt }] of unwritten) add(fileId, hits, lastAccessedAt);
    }
  };
  const flush = () => (flushing = flushing.then(flushNow));
  const timer = setInterval(() => void (tallies.size > 0 && flush()), flushEvery);
  return {
    note(fileId, use) {
      if (use === 'hit') processCounts.downloads += 1;
      if (use !== null) add(fileId, use === 'hit' ? 1 : 0, clock.now());
    },
    async writeAccess(fileId) {
      add(fileId, 0, clock.now());
      await Promise.race([flush(), setTimeout(longestWrite, undefined, { ref: false })]);
    },
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Locked rows are written one by one: a statement that waits for one lock while it holds others could deadlock. */
async function writeTallies(db: Database, tallies: Tallies): Promise<void> {
  const some = db
    .selectFrom('files')
    .select('id')
    .where('id', 'in', [...tallies.keys()]);
  const isFree = sql`AND files.id IN (${skipLocked(db, some)})`;
  for (const id of await writeRows(db, [...tallies], isFree)) tallies.delete(id);
  for (const row of tallies) {
    await writeRows(db, [row], sql``);
    tallies.delete(row[0]);
  }
}

/** Another node may have recorded a later access, so the time only moves forward. */
async function writeRows(
  db: Database,
  rows: readonly (readonly [string, Tally])[],
  condition: RawBuilder<unknown>,
): Promise<string[]> {
  const values = sql.join(
    rows.map(([id, tally]) => sql`(${id}, cast(${tally.hits} as bigint), cast(${tally.lastAccessedAt} as bigint))`),
  );
  const written = await sql<{ id: string }>`
    UPDATE files SET
      hits = hits + tally.column2,
      last_accessed_at = CASE WHEN last_accessed_at < tally.column3 THEN tally.column3 ELSE last_accessed_at END
    FROM (VALUES ${values}) AS tally
    WHERE files.id = tally.column1 ${condition}
    RETURNING files.id`.execute(db);
  return written.rows.map(({ id }) => id);
}
