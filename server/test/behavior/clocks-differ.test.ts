/** A process whose machine has another time than that of the database. */
import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createReadiness } from '../../src/http/readiness.ts';
import { hours, minutes, seconds } from '../../src/lib/clock.ts';
import { createClockComparison } from '../../src/maintenance/clocks-apart.ts';
import { createMetrics } from '../../src/maintenance/metrics.ts';
import { openMaintenance } from '../../src/maintenance/open-maintenance.ts';
import { runJobByHand } from '../../src/operator/jobs.ts';
import { countingJob } from '../harness/counting-job.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const withDifference = ({ context }: TestServer, ms: number): Context => ({ ...context, clockDifference: () => ms });
const alarms = ({ log }: TestServer) => log.filter((line) => line.includes('ALARM: the clock of this machine'));

test('a difference of more than 30 seconds is an alarm at once and each hour, and no smaller one is', async () => {
  await using server = await startServer();
  let difference = seconds(30);
  const compare = createClockComparison({ ...server.context, clockDifference: () => difference });
  compare();
  expect(alarms(server)).toEqual([]);
  difference = -seconds(31);
  compare();
  expect(alarms(server)).toEqual([expect.stringContaining('it is 31 seconds ahead"')]);
  for (let minute = 0; minute < 119; minute += 1) {
    server.clock.advance(minutes(1));
    compare();
  }
  expect(alarms(server)).toHaveLength(2);
  difference = minutes(5) + 1;
  compare();
  expect(alarms(server).at(-1)).toContain('it is 300 seconds behind, so no jobs run here');
  difference = 0;
  compare();
  expect(server.log.at(-1)).toContain('right again');
  difference = seconds(40);
  compare();
  expect(alarms(server)).toHaveLength(4);
  server.clock.advance(hours(1));
  compare();
  expect(alarms(server)).toHaveLength(5);
});

test.each([
  ['runs jobs', minutes(5), 1],
  ['runs no jobs', minutes(5) + 1, 0],
  ['runs no jobs', -minutes(6), 0],
])('a process %s when the clocks differ by %i ms', async (_, difference, expected) => {
  await using server = await startServer();
  const context = withDifference(server, difference);
  const { job, runs } = countingJob();
  const maintenance = openMaintenance(context, server.memory, [job], { jitter: 0 });
  maintenance.runSoon(job);
  await expect.poll(() => alarms(server)).toHaveLength(1);
  await expect.poll(runs).toBe(expected);
  await maintenance[Symbol.asyncDispose]();
  expect(runs()).toBe(expected);

  const byHand = runJobByHand(context, { operator: 'ada', sudoUser: null, action: 'jobs run' }, job, {
    dryRun: false,
    allow: null,
    signal: new AbortController().signal,
  });
  if (expected === 1) await expect(byHand).resolves.toEqual({});
  else await expect(byHand).rejects.toThrow(/^The clock of this machine is not that of the database: .* no jobs run/);
});

test('readiness and metrics say how far the clock is off, and the process stays ready', async () => {
  await using server = await startServer();
  const readiness = createReadiness(withDifference(server, minutes(6)));
  expect(await readiness()).toMatchObject({
    status: 200,
    body: expect.stringMatching(
      /^degraded\n[^]*\nclock: it is 360 seconds behind, so no jobs run here\nversion: /,
    ) as string,
  });
  const right = createReadiness(withDifference(server, seconds(30)));
  expect(await right()).toMatchObject({ status: 200, body: expect.stringMatching(/^ok\n(?!.*clock)/s) as string });
  const measure = async () => ({ tally: server.context.tally, wrongPrices: 0, process: '' });
  const { body } = await createMetrics(withDifference(server, -seconds(90)), [], {
    measure,
    isReady: async () => true,
  })();
  expect(body).toMatch(/^holdfast_clock_difference_seconds -90$/m);
});
