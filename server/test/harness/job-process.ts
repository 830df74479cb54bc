/**
 * A process that runs one job once, and may be killed in the middle of it: before its n-th statement or
 * deletion of bytes. It prints the result of the job, or null if it was not its turn.
 */
import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-setting.ts';
import { openContext } from '../../src/context.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';

export interface JobProcess {
  readonly environment: Environment;
  readonly job: string;
  readonly now: number;
  readonly killAt: number | null;
}

const { environment, job: name, now, killAt } = JSON.parse(process.argv[2] ?? '') as JobProcess;

let steps = 0;
const step = () => {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
};

const counting: KyselyPlugin = {
  transformQuery({ node }) {
    step();
    return node;
  },
  transformResult: async ({ result }) => result,
};

const job = jobs.find((each) => each.name === name);
if (!job) throw new Error(`There is no job ${name}.`);
await using context = await openContext(readConfig(environment), pino({ enabled: false }), {
  clock: { ...systemClock, now: () => now },
});
const watched = {
  ...context,
  db: context.db.withPlugin(counting),
  blobs: {
    ...context.blobs,
    async remove(...ids: readonly BlobId[]) {
      for (const id of ids) {
        step();
        await context.blobs.remove(id);
      }
    },
  },
};
console.log(JSON.stringify(await runJob(watched, job)));
