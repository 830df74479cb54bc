import type { Database } from '@holdfast/server/src/storage/db/database.ts';
import { minutes, seconds } from '@holdfast/server/src/lib/clock.ts';
import { jobs } from '@holdfast/server/src/jobs/schedule.ts';

/** Less than the longest lease that a server believes. */
const heldFor = minutes(2);

/** Holds the leases of all jobs, so that a server that runs for minutes changes nothing of its own accord. */
export async function holdJobs(db: Database): Promise<AsyncDisposable> {
  const hold = async () => {
    const lease = { holder: 'bench', leased_until: Date.now() + heldFor };
    await db
      .insertInto('jobs')
      .values(jobs.map(({ name }) => ({ name, ...lease })))
      .onConflict((conflict) => conflict.column('name').doUpdateSet(lease))
      .execute();
  };
  await hold();
  const renewing = setInterval(() => void hold().catch(console.error), seconds(30));
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      await db.updateTable('jobs').set({ leased_until: 0 }).execute();
    },
  };
}
