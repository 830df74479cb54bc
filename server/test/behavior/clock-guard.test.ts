/** Jobs that delete by age pause for a day after the clock has jumped or the service was off. */
import { expect } from 'vitest';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { noteHeartbeat, pauseLeft } from '../../src/jobs/clock-guard.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const beat = async ({ context }: TestServer) => {
  await noteHeartbeat(context);
  return pauseLeft(context);
};
const alarms = ({ log }: TestServer) => log.filter((line) => line.includes('ALARM')).length;
const jobsThatRan = async ({ context }: TestServer) => {
  const results = await Promise.all(
    jobs.map(async (job) => ({ job, result: await runJob(context, job, { dryRun: false }) })),
  );
  return results.filter(({ result }) => result !== null).map(({ job }) => job);
};

test.each([
  ['ahead', days(365), 1],
  ['back', -hours(2), 1],
  ['ahead while the service was off for three hours', hours(3), 0],
])('after a jump %s, jobs that delete by age pause for 24 hours', async (_, jump, expected) => {
  await using server = await startServer();
  expect(await beat(server)).toBe(0);
  server.clock.jump(jump);
  expect(await beat(server)).toBe(days(1));
  expect(alarms(server)).toBe(expected);
  expect(server.log.join('')).toContain('jobs that delete by age pause');
  expect((await jobsThatRan(server)).filter((job) => job.deletesByAge)).toEqual([]);
  for (let hour = 0; hour < 24; hour += 1) {
    expect(await pauseLeft(server.context)).toBeGreaterThan(0);
    server.clock.advance(hours(1));
    await beat(server);
  }
  expect(await jobsThatRan(server)).toEqual(jobs);
});

test('steps of an hour pause nothing', async ({ server }) => {
  for (const step of [0, hours(1), -hours(1), minutes(1)]) {
    server.clock.jump(step);
    expect(await beat(server)).toBe(0);
  }
});

test('a machine that is off every night pauses once a week, and after a longer stop again', async ({ server }) => {
  await beat(server);
  const paused: boolean[] = [];
  for (let day = 0; day < 14; day += 1) {
    server.clock.advance(hours(9));
    paused.push((await beat(server)) > hours(15));
    for (let hour = 0; hour < 15; hour += 1) {
      server.clock.advance(hours(1));
      await beat(server);
    }
  }
  expect(paused.filter(Boolean)).toHaveLength(2);
  server.clock.advance(days(2));
  expect(await beat(server)).toBe(days(1));
});

test('a job that began and an email that waits while the clock was ahead do not wait for that time', async ({
  server,
}) => {
  const { context, clock } = server;
  const { db } = context;
  await beat(server);
  clock.jump(days(365));
  await beat(server);
  const job = jobs.find(({ deletesByAge }) => !deletesByAge);
  if (!job) throw new Error('There is no such job.');
  await runJob(context, job);
  const email = { id: 'one', recipient: 'ada@example.com', sealed: '', created_at: 0, expires_at: null };
  await db
    .insertInto('outgoing_emails')
    .values({ ...email, due_at: clock.now() })
    .execute();
  clock.jump(-days(365));
  await beat(server);
  expect(await runJob(context, job, { since: clock.now() })).not.toBeNull();
  expect(await db.selectFrom('outgoing_emails').select('due_at').execute()).toEqual([{ due_at: clock.now() }]);
});
