/** A process while a newer version migrates its database. */
import { expect } from 'vitest';
import { hours } from '../../src/lib/clock.ts';
import { createHeartbeat } from '../../src/jobs/heartbeat.ts';
import { openJobs } from '../../src/jobs/open-jobs.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';
import type { Job } from '../../src/jobs/job.ts';

/** A job that only counts its runs. */
function countingJob(): { readonly job: Job; readonly runs: () => number } {
  let runs = 0;
  const job: Job = {
    name: 'test',
    pattern: '0 0 1 1 *',
    async run() {
      runs += 1;
      return {};
    },
  };
  return { job, runs: () => runs };
}

/** For a test that ticks itself. */
const noTimer = (): Disposable => ({ [Symbol.dispose]() {} });

const apply = ({ context: { db } }: TestServer, name: string) =>
  db.insertInto('migrations').values({ name, applied_at: 0 }).execute();
const alarms = ({ log }: TestServer) => log.filter((line) => line.includes('ALARM: a newer version'));

test.each([
  ['goes on with jobs', '9998-adds.sql', 1],
  ['goes on with jobs', '9998-removes.needs-0029.sql', 1],
  ['runs no more jobs', '9998-removes.needs-9997.sql', 0],
])('a process %s when a newer version has applied %s', async (_, name, expected) => {
  await using server = await startServer();
  const { job, runs } = countingJob();
  await apply(server, name);
  await using jobs = openJobs(server.context, [job], noTimer);
  jobs.runSoon(job);
  await jobs.tick();
  expect(runs()).toBe(expected);
  expect(alarms(server)).toHaveLength(1 - expected);
});

test('an older process says each hour that it must stop', async ({ server }) => {
  const heartbeat = createHeartbeat(server.context);
  await heartbeat.beat();
  expect(heartbeat.mayRunJobs()).toBe(true);
  await apply(server, '9999-removes.needs-9998.sql');
  for (let minute = 0; minute < 3; minute += 1) await heartbeat.beat();
  expect(heartbeat.mayRunJobs()).toBe(false);
  expect(alarms(server)).toEqual([expect.stringContaining('9999-removes.needs-9998.sql')]);
  server.clock.advance(hours(1));
  await heartbeat.beat();
  expect(alarms(server)).toHaveLength(2);
});
