import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { readSchemaChange } from '../storage/db/migrate.ts';
import { days, hours } from '../lib/clock.ts';
import { newRowId } from '../lib/row-id.ts';
import { noteHeartbeat } from './clock-guard.ts';

type Parts = Pick<Context, 'db' | 'clock' | 'log'>;

export function createHeartbeat(parts: Parts) {
  const { db, clock, log } = parts;
  const id = randomUUID();
  const checkProgram = createProgramCheck(parts);
  const logActions = createActionLog(parts);
  let isOutdated = false;
  let last: Promise<unknown> = Promise.resolve();
  const beatOnce = async (): Promise<boolean> => {
    try {
      await clock.synchronize?.();
      await noteHeartbeat(parts);
      await noteProcess();
      isOutdated = await checkProgram();
      await logActions();
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat could not be written');
      return false;
    }
  };
  /** A move of the service waits for the processes that were seen lately. */
  const noteProcess = async () => {
    const now = clock.now();
    await db
      .insertInto('processes')
      .values({ id, started_at: now, seen_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
      .execute();
    await db
      .deleteFrom('processes')
      .where('seen_at', '<', now - days(1))
      .execute();
  };
  return {
    beat: (): Promise<boolean> => {
      const beaten = last.then(beatOnce);
      last = beaten;
      return beaten;
    },
    mayRunJobs: () => !isOutdated,
    async end(): Promise<void> {
      await last;
      const ending = db.deleteFrom('processes').where('id', '=', id).execute();
      await ending.catch((error: unknown) => log.warn({ err: error }, 'the end of a process could not be noted'));
    },
  };
}

function createProgramCheck({ db, clock, log }: Parts): () => Promise<boolean> {
  let known = 0;
  let raisedAt = -Infinity;
  return async () => {
    const { newer, removing } = await readSchemaChange(db);
    if (newer.length > known)
      log.info({ migrations: newer }, 'a newer version has migrated the database; this process goes on');
    known = newer.length;
    if (removing.length === 0) return false;
    if (clock.monotonic() - raisedAt >= hours(1)) {
      raisedAt = clock.monotonic();
      log.error({ migrations: removing }, mustStop);
    }
    return true;
  };
}

const mustStop = 'ALARM: a newer version has migrated the database, and this older one must stop; it runs no more jobs';

/** A user of the database cannot change the server's log. */
export function createActionLog({ db, log, clock }: Parts): () => Promise<void> {
  let logged: ReadonlySet<string> = new Set();
  return async () => {
    const entries = await db
      .selectFrom('operator_actions')
      .selectAll()
      .where('id', '>=', newRowId(clock.now() - hours(1)).slice(0, 8))
      .orderBy('id')
      .execute();
    for (const { id, at: _at, details, ...entry } of entries)
      if (!logged.has(id))
        log.info({ event: 'operator-action', ...entry, details: JSON.parse(details) as unknown }, 'security event');
    logged = new Set(entries.map(({ id }) => id));
  };
}
