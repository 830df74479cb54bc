/** Finds out that a newer version has migrated the database while this process runs. */
import type { Context } from '../context.ts';
import { readSchemaChange } from '../storage/db/schema-change.ts';
import { hours } from '../lib/clock.ts';

const repeatedEvery = hours(1);

export interface ProgramCheck {
  /** Logs when this process becomes the older one, and raises the alarm, each hour, when it must stop. */
  check(): Promise<void>;
  /** Whether the last check found that the schema lacks something which this program uses. */
  isOutdated(): boolean;
}

export function createProgramCheck({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): ProgramCheck {
  let known = 0;
  let isOutdated = false;
  let raisedAt = -Infinity;
  return {
    async check() {
      const { newer, removing } = await readSchemaChange(db);
      if (newer.length > known)
        log.info({ migrations: newer }, 'a newer version has migrated the database; this process goes on');
      known = newer.length;
      isOutdated = removing.length > 0;
      if (!isOutdated || clock.monotonic() - raisedAt < repeatedEvery) return;
      raisedAt = clock.monotonic();
      log.error(
        { migrations: removing },
        'ALARM: a newer version has migrated the database, and this older one must stop; it runs no more jobs',
      );
    },
    isOutdated: () => isOutdated,
  };
}
