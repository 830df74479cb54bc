import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { days } from '../lib/clock.ts';
import { Braked, unremarkableCount } from './brake.ts';
import type { JobRun } from './job.ts';
import { raiseAlarm } from './job-notes.ts';

export interface RescanLimit {
  /** How many of these suspects may be put in quarantine now: all, none, or as many as an operator has left. */
  admit(digests: readonly string[]): Promise<number>;
  /** What is to be said at the end of a run that left so many suspects alone. */
  refusal(suspects: number): Promise<Braked>;
}

const lately = days(7);

/**
 * A bad signature finds something everywhere. So the rescan alone puts in quarantine what is plausible within a week,
 * held against everything in use. When it finds more, nothing at all goes until an operator allows it: an alarm that
 * stands from an earlier run counts as well. What an operator has allowed goes, so many and no more.
 */
export async function openRescanLimit({ context, brake, allowed = null }: JobRun, job: string): Promise<RescanLimit> {
  const { db, clock, log } = context;
  const row = await db.selectFrom('jobs').select('braked_at').where('name', '=', job).executeTakeFirst();
  let alarmed = (row?.braked_at ?? null) !== null;
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
        brake.check(found, found <= unremarkableCount ? 0 : await countInUse(db));
      } catch (error) {
        if (!(error instanceof Braked)) throw error;
        alarmed = true;
        // At once, because a run over a large storage goes on for hours.
        log.error({ job, found }, 'ALARM: the rescan suspects too much, and puts nothing more in quarantine');
        await raiseAlarm(context, job);
        return 0;
      }
      await noteFinds(db, digests, clock.now());
      return digests.length;
    },
    async refusal(suspects) {
      const what =
        suspects === 1 ? '1 stored file looks infected and waits' : `${suspects} stored files look infected and wait`;
      return new Braked(
        suspects,
        await countInUse(db),
        `${what} for 'holdfast jobs run ${job} --allow ${suspects}', because that is too much for one week or an alarm stands.`,
      );
    },
  };
}

/** Those of an earlier run that was killed half-way are among `digests` again. */
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

/** Before anything is done, so that a run that is killed has counted no less than it did. */
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
  // Written out, so that the index of just these rows is used.
  const { rows } = await sql<{ blobs: number }>`SELECT count(*) AS blobs FROM blobs WHERE used_by > 0`.execute(db);
  return rows[0]?.blobs ?? 0;
}
