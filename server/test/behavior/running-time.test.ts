/** Days of disuse are days on which the service ran: auto-delete after an outage, a clock jump and a restore. */
import { expect, test } from 'vitest';
import { findBytes, type FoundBytes } from '../../src/operator/find-bytes.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { onlyHoldOn, restore } from '../../src/operator/restore.ts';
import { takeDown } from '../../src/operator/take-down.ts';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { openMaintenance } from '../../src/maintenance/open-maintenance.ts';
import { noteRunning, readRunningTime } from '../../src/maintenance/running-time.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { letRun } from '../harness/let-run.ts';
import { openSecond } from '../harness/second-process.ts';
import { startJob } from '../harness/start-job.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

const run = async (server: TestServer, dryRun = false) => (await server.runJob('auto-delete', { dryRun }))['files'];
const get = async (server: TestServer, name: string) => {
  const answer = await fetch(fileUrl(server, name));
  await answer.arrayBuffer();
  return answer.status;
};
const outagesOf = ({ context: { db } }: TestServer) =>
  db.selectFrom('outages').selectAll().orderBy('began_at').execute();

/** A file that is deleted after 7 days, of which `daysLeft` are left. */
async function fileWith(server: TestServer, daysLeft: number) {
  const account = await signUpAndIn(server);
  await account.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 7 } });
  const name = await uploadFile(server, account);
  await letRun(server, days(7 - daysLeft));
  return { account, name };
}

/** Expects the file to be deleted once the service has run for `ms`, and not a millisecond earlier. */
async function expectToGoAfter(server: TestServer, ms: number) {
  await letRun(server, ms - 1);
  expect(await run(server)).toBe(0);
  await letRun(server, 1);
  expect(await run(server, true)).toBe(1);
  expect(await run(server)).toBe(1);
}

test.each([
  ['the server says that it is back', ({ context }: TestServer) => noteRunning(context)],
  ['the job is the first thing that runs', async () => {}],
])('a file keeps its last hour over eight days off, when %s', async (_, comeBack) => {
  await using server = await startServer();
  const { name } = await fileWith(server, 1 / 24);
  const off = server.clock.now();
  server.clock.advance(days(8));
  await comeBack(server);
  expect(await run(server, true)).toBe(0);
  expect(await run(server)).toBe(0);
  expect(await outagesOf(server)).toEqual([{ began_at: off, ended_at: server.clock.now() }]);
  await expectToGoAfter(server, hours(1));
  expect(await get(server, name)).toBe(404);
});

test('a file accessed on its last day and after the outage has all its days', async () => {
  await using server = await startServer();
  const { name } = await fileWith(server, 1);
  expect(await get(server, name)).toBe(200);
  await letRun(server, hours(2));
  server.clock.advance(days(8));
  expect(await run(server)).toBe(0);
  expect(await get(server, name)).toBe(200);
  await expectToGoAfter(server, days(7));
});

test('a dry run after an outage takes it into account and records nothing', async () => {
  await using server = await startServer();
  await fileWith(server, 1);
  server.clock.advance(days(8));
  expect(await run(server, true)).toBe(0);
  expect(await outagesOf(server)).toEqual([]);
});

test('an hour without a heartbeat is not an outage, and several outages add up', async () => {
  await using server = await startServer();
  await fileWith(server, 3);
  server.clock.advance(hours(1));
  await noteRunning(server.context);
  expect(await outagesOf(server)).toEqual([]);
  // Switched off each night.
  for (let night = 0; night < 4; night += 1) {
    server.clock.advance(hours(16));
    await noteRunning(server.context);
    await letRun(server, hours(8));
  }
  expect(await outagesOf(server)).toHaveLength(4);
  expect(await run(server)).toBe(0);
  await expectToGoAfter(server, days(3) - hours(1) - 4 * hours(8));
});

test.each([
  ['ahead by a year and back', 366, -366],
  ['ahead by an hour and a half and back', 1.5 / 24, -1.5 / 24],
  ['back by a year and ahead', -366, 366],
])('a clock that jumps %s costs files no days and causes no later delay', async (_, there, back) => {
  await using server = await startServer();
  await fileWith(server, 3);
  server.clock.advance(days(there));
  expect(await run(server)).toBe(0);
  await letRun(server, hours(1));
  expect(await run(server)).toBe(0);
  server.clock.advance(days(back));
  expect(await run(server)).toBe(0);
  const now = server.clock.now();
  const fact = server.context.db.selectFrom('service_facts').select('at').where('name', '=', 'heartbeat');
  expect(await fact.executeTakeFirst()).toEqual({ at: now });
  for (const { began_at, ended_at } of await outagesOf(server)) {
    expect(began_at).toBeLessThan(now);
    expect(ended_at).toBeLessThanOrEqual(now);
  }
  // The time between the two jumps may count or not.
  await letRun(server, days(3) - hours(2));
  expect(await run(server)).toBe(0);
  await letRun(server, days(7));
  expect(await run(server)).toBe(1);
});

test('a clock that stays a year ahead ages files only by the days that it counts', async () => {
  await using server = await startServer();
  await fileWith(server, 2);
  server.clock.advance(days(366));
  expect(await run(server)).toBe(0);
  await expectToGoAfter(server, days(2));
});

test('if one of two machines is a year ahead, none deletes files, and one outage is recorded', async () => {
  await using server = await startServer();
  await fileWith(server, 1);
  const { clock, context } = server;
  const ahead = { ...context, clock: { ...clock, now: () => clock.now() + days(366) } };
  for (let minute = 0; minute < 60; minute += 1) {
    await noteRunning(minute % 2 === 0 ? ahead : context);
    clock.advance(minutes(1));
  }
  expect(await outagesOf(server)).toHaveLength(1);
  const running = await readRunningTime(ahead);
  expect(running.limitOf(days(1))).toBeLessThan(clock.now() - days(1) + hours(1));
  expect(await run(server)).toBe(0);
});

test('a database without heartbeat and outages counts its days as before', async () => {
  await using server = await startServer();
  await fileWith(server, 1);
  await server.context.db.deleteFrom('service_facts').execute();
  server.clock.advance(days(1));
  expect(await run(server, true)).toBe(1);
  expect(await run(server)).toBe(1);
});

test('twenty concurrent calls after an outage record it once', async () => {
  await using server = await startServer();
  await fileWith(server, 1);
  await using second = await openSecond(server);
  const off = server.clock.now();
  server.clock.advance(days(8));
  await Promise.all(Array.from({ length: 20 }, (_, at) => noteRunning(at % 2 === 0 ? second : server.context)));
  expect(await outagesOf(server)).toEqual([{ began_at: off, ended_at: server.clock.now() }]);
});

test('concurrent processes with the job record one outage and delete nothing', { timeout: 60_000 }, async () => {
  await using server = await startServer();
  await fileWith(server, 1);
  const off = server.clock.now();
  server.clock.advance(days(8));
  const ends = await Promise.all([1, 2, 3].map(() => startJob(server, 'auto-delete')));
  expect(ends.filter((end) => end !== null)).toContainEqual({ files: 0 });
  expect(await outagesOf(server)).toEqual([{ began_at: off, ended_at: server.clock.now() }]);
  await letRun(server, days(1));
  expect(await startJob(server, 'auto-delete')).toEqual({ files: 1 });
});

test.each([0, days(2)])(
  'after a restore all days begin anew, also when the server starts %i ms later',
  async (later) => {
    await using server = await startServer();
    await fileWith(server, 1);
    const { db } = server.context;
    // The state after a restore: the history of another database, and no facts of this one.
    await db.deleteFrom('service_facts').execute();
    await db.insertInto('outages').values({ began_at: 0, ended_at: server.clock.now() }).execute();
    server.clock.advance(later);
    expect(await run(server, true)).toBe(0);
    expect(await run(server)).toBe(0);
    expect(await outagesOf(server)).toEqual([{ began_at: 0, ended_at: server.clock.now() }]);
    await expectToGoAfter(server, days(7));
  },
);

test('outages that no rule needs any more are deleted, including that of a restore', async () => {
  await using server = await startServer();
  const { db } = server.context;
  await db.insertInto('outages').values({ began_at: 0, ended_at: server.clock.now() }).execute();
  const pause = async () => {
    server.clock.advance(hours(2));
    await noteRunning(server.context);
  };
  await letRun(server, days(1));
  await pause();
  await letRun(server, days(98));
  await pause();
  expect(await outagesOf(server)).toHaveLength(3);
  const running = await readRunningTime(server.context);
  expect(running.limitOf(days(90))).toBe(server.clock.now() - days(90) - hours(2));
  await letRun(server, days(2));
  await pause();
  expect((await outagesOf(server)).map(({ ended_at, began_at }) => ended_at - began_at)).toEqual([hours(2), hours(2)]);
});

const operator = { operator: 'ada', action: 'test' };

test.each([
  [
    'a takedown',
    async ({ context, memory }: TestServer, found: FoundBytes) => {
      await takeDown(context, memory, operator, found, 'CASE-1');
    },
  ],
  [
    'a quarantine',
    async ({ context, memory }: TestServer, found: FoundBytes) => {
      await quarantine(context, memory, found, 'Bad.Thing');
    },
  ],
])('a file restored after %s of 14 days has all its days, and was not accessed', async (_, withhold) => {
  await using server = await startServer();
  const { account, name } = await fileWith(server, 1);
  const { context } = server;
  const found = await findBytes(context, name);
  await withhold(server, found);
  await letRun(server, days(14));
  await restore(context, operator, found, await onlyHoldOn(context, found), { overQuota: false });
  expect(await run(server)).toBe(0);
  expect(await get(server, `${name}?no-count=true`)).toBe(200);
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ name, last_accessed: null, hits: 0 }]);
  await expectToGoAfter(server, days(7));
});

test('every process records a heartbeat at its start and before each job', async () => {
  await using server = await startServer();
  const { db } = server.context;
  await db.deleteFrom('service_facts').execute();
  const heartbeat = async () =>
    (await db.selectFrom('service_facts').selectAll().where('name', '=', 'heartbeat').executeTakeFirst())?.at;
  await using maintenance = openMaintenance(server.context, server.memory, []);
  await expect.poll(heartbeat).toBe(server.clock.now());
  server.clock.advance(minutes(30));
  let noted: number | undefined;
  const ran = Promise.withResolvers<void>();
  maintenance.runSoon({
    name: 'test',
    pattern: '0 3 * * *',
    async run() {
      noted = await heartbeat();
      ran.resolve();
      return {};
    },
  });
  await ran.promise;
  expect(noted).toBe(server.clock.now());
});
