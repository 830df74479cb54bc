import { once } from 'node:events';
import { beforeEach, expect } from 'vitest';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { DeletionLimitExceeded } from '../../src/jobs/deletion-limit.ts';
import type { Job, JobRun } from '../../src/jobs/job.ts';
import { leaseFor, takeLease } from '../../src/jobs/lease.ts';
import { openJobs } from '../../src/jobs/open-jobs.ts';
import { shareServer } from '../harness/server-test.ts';

const { server, test } = await shareServer();
beforeEach(() => server.context.db.deleteFrom('jobs').execute());

/** The test ticks itself. */
const noTimer = (): Disposable => ({ [Symbol.dispose]() {} });

const jobThat = (run: (run: JobRun) => Promise<Record<string, number>>): Job => ({
  name: 'test',
  pattern: '0 3 * * *',
  run,
});

const rowOf = (name = 'test') =>
  server.context.db.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirstOrThrow();

test('of twenty concurrent requests for a job one gets the lease, and the next after its end', async () => {
  const asked = await Promise.all(Array.from({ length: 20 }, () => takeLease(server.context, 'test')));
  const [lease, ...more] = asked.filter((taken) => taken !== null);
  expect(more).toEqual([]);
  expect(await takeLease(server.context, 'another')).not.toBeNull();
  await lease?.end(true);
  expect(await takeLease(server.context, 'test')).not.toBeNull();
});

test('a renewed lease is kept, and an expired lease is replaced', async () => {
  const lease = await takeLease(server.context, 'test');
  for (let renewed = 0; renewed < 5; renewed += 1) {
    server.clock.advance(leaseFor - 1);
    expect(await takeLease(server.context, 'test')).toBeNull();
    expect(await lease?.renew()).toBe(true);
  }
  server.clock.advance(leaseFor - 1);
  expect(await takeLease(server.context, 'test')).toBeNull();
  server.clock.advance(1);
  const next = await takeLease(server.context, 'test');
  expect(next).not.toBeNull();
  expect(await lease?.renew()).toBe(false);
  // The remaining work of the first holder does not end another holder's lease.
  await lease?.end(true);
  expect(await takeLease(server.context, 'test')).toBeNull();
});

test('a run records its start, its success and its totals', async () => {
  const job = jobThat(async () => ({ files: 3, bytes: 70 }));
  expect(await server.runJob(job)).toEqual({ files: 3, bytes: 70 });
  server.clock.advance(hours(1));
  await server.runJob(job);
  const now = server.clock.now();
  const row = await rowOf();
  expect(row).toMatchObject({ last_started_at: now, last_success_at: now, leased_until: 0, last_error: null });
  expect(JSON.parse(row.done)).toEqual({ files: 6, bytes: 140 });
});

test('a failed run is recorded and logged and ends its lease, and a success clears the error', async () => {
  const broken = jobThat(() => Promise.reject(new Error('the disk is on fire')));
  await expect(server.runJob(broken)).rejects.toThrow('the disk is on fire');
  expect(await rowOf()).toMatchObject({ last_error: 'the disk is on fire', failures: 1, last_success_at: 0 });
  expect(server.log.join('')).toContain('the disk is on fire');
  await server.runJob(jobThat(async () => ({})));
  expect(await rowOf()).toMatchObject({ last_error: null, failures: 1, last_success_at: server.clock.now() });
});

test('a run beyond the deletion limit is an alarm until a run succeeds', async () => {
  const job = jobThat(async ({ deletionLimit }) => {
    deletionLimit.check(101, 1_000);
    return { files: 101 };
  });
  await expect(server.runJob(job)).rejects.toBeInstanceOf(DeletionLimitExceeded);
  const since = server.clock.now();
  expect(await rowOf()).toMatchObject({ deletion_limit_exceeded_at: since, last_success_at: 0 });
  expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(1);
  server.clock.advance(hours(1));
  await expect(server.runJob(job)).rejects.toBeInstanceOf(DeletionLimitExceeded);
  expect(await rowOf()).toMatchObject({ deletion_limit_exceeded_at: since });
  expect(await server.runJob(job, { allowed: 101 })).toEqual({ files: 101 });
  expect(await rowOf()).toMatchObject({ deletion_limit_exceeded_at: null, last_error: null });
});

test('a process that loses the lease stops and records nothing', async () => {
  const job = jobThat(async ({ signal }) => {
    server.clock.advance(leaseFor);
    await takeLease(server.context, 'test');
    if (!signal.aborted) await once(signal, 'abort');
    signal.throwIfAborted();
    return {};
  });
  await expect(server.runJob(job, { renewEvery: 5 })).rejects.toThrow('Another process has taken over');
  expect(await rowOf()).toMatchObject({ failures: 0, last_success_at: 0 });
  expect(await takeLease(server.context, 'test')).toBeNull();
});

test('a scheduled job never runs twice at once in one process, and closing stops and awaits it', async () => {
  const begun = Promise.withResolvers<void>();
  const events: string[] = [];
  const job = jobThat(async ({ signal }) => {
    events.push('begun');
    begun.resolve();
    await once(signal, 'abort');
    events.push('stopped');
    signal.throwIfAborted();
    return {};
  });
  const opened = openJobs(server.context, [job], noTimer);
  server.clock.advance(days(1));
  void opened.tick();
  await begun.promise;
  // Long enough for its lease to expire.
  server.clock.advance(days(1));
  void opened.tick();
  await opened[Symbol.asyncDispose]();
  expect(events).toEqual(['begun', 'stopped']);
  expect(await rowOf()).toMatchObject({ failures: 0, last_success_at: 0 });
  // The job did not finish, so the next process to start runs it at once.
  expect(await takeLease(server.context, 'test', server.clock.now() - days(2))).not.toBeNull();
});

test('a missed job runs soon after the start, once for all processes', async () => {
  let runs = 0;
  const job = jobThat(async () => ({ files: (runs += 1) }));
  const open = () => openJobs(server.context, [job], noTimer);
  await using one = open();
  await using two = open();
  await one.tick();
  expect(runs).toBe(0);
  server.clock.advance(minutes(2));
  await Promise.all([one.tick(), two.tick()]);
  await using three = open();
  server.clock.advance(minutes(2));
  await three.tick();
  expect(runs).toBe(1);
});
