import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { days } from '../../lib/clock.ts';
import { DeletionLimitExceeded, unremarkableCount } from '../deletion-limit.ts';
import type { JobRun } from '../job.ts';
import { raiseAlarm } from '../job-notes.ts';

export interface RescanLimit {
  /**
   * Returns how many of these suspects may be quarantined now: all, none, or what is left of the operator's allowance.
   */
  admit(digests: readonly string[]): Promise<number>;
  /** Returns the error that ends a run which left this number of suspects alone. */
  refusal(suspects: number): Promise<DeletionLimitExceeded>;
}

const lately = days(7);

/**
 * A bad signature finds something everywhere. So without an allowance the rescan quarantines only a plausible share of
 * everything in use within a week. When it finds more, it quarantines nothing until an operator allows it; an alarm
 * that remains from an earlier run counts as well. Exactly the number that an operator has allowed is quarantined.
 */
export async function openRescanLimit(
  { context, deletionLimit, allowed = null }: JobRun,
  job: string,
): Promise<RescanLimit> {
  const { db, clock, log } = context;
  const row = await db
    .selectFrom('jobs')
    .select('deletion_limit_exceeded_at')
    .where('name', '=', job)
    .executeTakeFirst();
  let alarmed = (row?.deletion_limit_exceeded_at ?? null) !== null;
  let left = allowed;
  return {
    async admit(digests) {
      if (left !== null) {
        const admitted = Math.min(left, digests.length);
        left -= admitted;
        return admitted;
      }
      if (alarmed || digests.length === 0) return 0;
      const found = digests.length + (await countFinds(context, digests));
      try {
        deletionLimit.check(found, found <= unremarkableCount ? 0 : await countInUse(db));
      } catch (error) {
        if (!(error instanceof DeletionLimitExceeded)) throw error;
        alarmed = true;
        // Raised at once, because a run over a large storage takes hours.
        log.error({ job, found }, 'ALARM: the rescan found too many suspects and quarantines nothing more');
        await raiseAlarm(context, job);
        return 0;
      }
      await noteFinds(db, digests, clock.now());
      return digests.length;
    },
    async refusal(suspects) {
      const what =
        suspects === 1 ? '1 stored file looks infected and waits' : `${suspects} stored files look infected and wait`;
      return new DeletionLimitExceeded(
        suspects,
        await countInUse(db),
        `${what} for 'holdfast jobs run ${job} --allow ${suspects}', because that is too much for one week or an alarm stands.`,
      );
    },
  };
}

/** Leaves out `digests`, which contain again the finds of an earlier run that was killed halfway. */
async function countFinds({ db, clock }: Context, digests: readonly string[]): Promise<number> {
  const since = clock.now() - lately;
  const { finds } = await db
    .selectFrom('rescan_finds')
    .select((eb) => eb.fn.countAll<number>().as('finds'))
    .where('found_at', '>', since)
    .where('sha256', 'not in', [...digests])
    .executeTakeFirstOrThrow();
  return finds;
}

/** Called before anything is quarantined, so that a killed run has never counted less than it did. */
async function noteFinds(db: Context['db'], digests: readonly string[], now: number): Promise<void> {
  await db
    .insertInto('rescan_finds')
    .values(digests.map((sha256) => ({ sha256, found_at: now })))
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ found_at: now }))
    .execute();
  await db
    .deleteFrom('rescan_finds')
    .where('found_at', '<=', now - lately)
    .execute();
}

async function countInUse(db: Context['db']): Promise<number> {
  // Written out so that the partial index is used.
  const { rows } = await sql<{ blobs: number }>`SELECT count(*) AS blobs FROM blobs WHERE used_by > 0`.execute(db);
  return rows[0]?.blobs ?? 0;
}
