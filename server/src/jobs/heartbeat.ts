import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { readSchemaChange } from '../storage/db/migrate.ts';
import { days, hours } from '../lib/clock.ts';
import { noteHeartbeat } from './clock-guard.ts';
import { createActionLog } from './log-actions.ts';

export interface Heartbeat {
  readonly beat: () => Promise<boolean>;
  mayRunJobs(): boolean;
  end(): Promise<void>;
}

/** Checks the clock and the schema, and records that this process runs. */
export function createHeartbeat(context: Pick<Context, 'db' | 'clock' | 'log'>): Heartbeat {
  const { db, clock, log } = context;
  const id = randomUUID();
  const checkProgram = createProgramCheck(context);
  const logActions = createActionLog(context);
  let isOutdated = false;
  let last: Promise<unknown> = Promise.resolve();
  const beatOnce = async () => {
    try {
      await noteHeartbeat(context);
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
    beat() {
      const beaten = last.then(beatOnce);
      last = beaten;
      return beaten;
    },
    mayRunJobs: () => !isOutdated,
    async end() {
      await last;
      await db
        .deleteFrom('processes')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => log.warn({ err: error }, 'the end of a process could not be noted'));
    },
  };
}

function createProgramCheck({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): () => Promise<boolean> {
  let known = 0;
  let raisedAt = -Infinity;
  return async () => {
    const { newer, removing } = await readSchemaChange(db);
    if (newer.length > known)
      log.info({ migrations: newer }, 'a newer version has migrated the database; this process goes on');
    known = newer.length;
    const isOutdated = removing.length > 0;
    if (isOutdated && clock.monotonic() - raisedAt >= hours(1)) {
      raisedAt = clock.monotonic();
      log.error(
        { migrations: removing },
        'ALARM: a newer version has migrated the database, and this older one must stop; it runs no more jobs',
      );
    }
    return isOutdated;
  };
}
