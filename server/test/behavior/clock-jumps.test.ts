/** A clock that jumps: an alarm, and nothing that is deleted by its age until the clock can be trusted. */
import { expect, test } from 'vitest';
import { openSessionOf } from '../../src/accounts/sessions.ts';
import { DatabaseUnavailable } from '../../src/engines/database/database.ts';
import { days, hours, minutes, withSteadyTime } from '../../src/lib/clock.ts';
import { checkClockAtStart } from '../../src/maintenance/check-clock.ts';
import { acceptClock, readClockHold } from '../../src/maintenance/clock-hold.ts';
import type { Job } from '../../src/maintenance/job.ts';
import { deleteExpired } from '../../src/maintenance/jobs/delete-expired.ts';
import { purge } from '../../src/maintenance/jobs/purge.ts';
import type { MachineClock } from '../../src/maintenance/machine-clock.ts';
import { type Heartbeat, openHeartbeat } from '../../src/maintenance/open-heartbeat.ts';
import { openMaintenance } from '../../src/maintenance/open-maintenance.ts';
import { confirmClock, heldJobs } from '../../src/operator/clock.ts';
import { purgeNow } from '../../src/operator/purge-now.ts';
import { cookieName, signUpAndIn } from '../harness/accounts.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { watchStatements } from '../harness/watched-statements.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const actor = { operator: 'ada', action: 'clock accept' };
const { signal } = new AbortController();

/** A machine that started days ago; it tells the time that passes on the test's clock, but not its jumps. */
function machineOf({ clock }: TestServer, boot: string | null = 'boot 1'): MachineClock {
  const before = clock.elapsed();
  return { boot, sinceBoot: () => days(3) + clock.elapsed() - before };
}

/** A process of the service: it starts, and runs for a minute. */
async function runProcess(server: TestServer, machine: MachineClock): Promise<void> {
  await using heartbeat = openHeartbeat(server.context, machine);
  await heartbeat.beat();
  server.clock.advance(minutes(1));
  await heartbeat.beat();
}

/** The service runs for `ms`, with a heartbeat each half hour. */
async function runFor(server: TestServer, heartbeat: Pick<Heartbeat, 'beat'>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += minutes(30)) {
    server.clock.advance(Math.min(minutes(30), ms - passed));
    await heartbeat.beat();
  }
}

const alarms = (server: TestServer) => server.log.filter((line) => line.includes('ALARM: ')).length;
const notices = (server: TestServer) => server.log.filter((line) => line.includes('the service was off')).length;
const isHeld = async (server: TestServer) => (await readClockHold(server.context)) !== null;

/** Runs every job that trusts the clock, and returns the names of those that did. */
async function jobsThatRan(server: TestServer): Promise<string[]> {
  const ran: string[] = [];
  for (const name of heldJobs)
    await server.runJob(name).then(
      () => ran.push(name),
      (error: Error) => expect(error.message).toContain('the clock has jumped'),
    );
  return ran;
}

/** What is deleted by its age: files by auto-delete, deleted bytes by the purge, a session, an account without address. */
async function openWhatAges(server: TestServer) {
  const ann = await signUpAndIn(server, { plan: 'power' });
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 7 } });
  for (let at = 0; at < 3; at += 1) await uploadFile(server, ann, `file ${at}`);
  await ann.byKey.deleteFiles({ body: { files: [await uploadFile(server, ann, 'deleted')] } });
  await signUp(server, 'later@example.com');
  return ann;
}

async function countRows({ context: { db } }: TestServer) {
  const count = async (table: 'sessions' | 'blobs' | 'email_codes') =>
    (
      await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows;
  return { sessions: await count('sessions'), blobs: await count('blobs'), codes: await count('email_codes') };
}

test.each([
  ['a year ahead for one night', 366],
  ['two hours ahead for one night', 1 / 12],
  ['a year back for one night', -366],
])('while the clock is %s, nothing is deleted, and sessions work, then and afterwards', async (_, ahead) => {
  await using server = await startServer();
  const ann = await openWhatAges(server);
  const before = await countRows(server);
  const bytes = (await storedNames(server)).length;
  await using heartbeat = openHeartbeat(server.context, machineOf(server));
  await heartbeat.beat();
  server.clock.jump(days(ahead));
  expect((await ann.browser.client.getAccountInfo()).account.info.email).toBe(ann.email);
  await heartbeat.beat();
  expect(alarms(server)).toBe(1);
  for (let hour = 0; hour < 8; hour += 1) {
    await runFor(server, heartbeat, hours(1));
    expect(await jobsThatRan(server)).toEqual([]);
  }
  expect((await ann.browser.client.getSessions()).sessions).toHaveLength(1);
  server.clock.jump(days(-ahead));
  await heartbeat.beat();
  expect(alarms(server)).toBe(2);
  expect(await jobsThatRan(server)).toEqual([]);
  expect(await countRows(server)).toEqual(before);
  expect(await storedNames(server)).toHaveLength(bytes);
  expect((await ann.browser.client.getAccountInfo()).account.info.email).toBe(ann.email);
});

test('while the database refuses to record a jump, jobs that delete do not run', async () => {
  await using server = await startServer();
  await openWhatAges(server);
  const before = await countRows(server);
  let refusals = 0;
  const db = watchStatements(server.context.db, {
    before(statement) {
      if (refusals === 0 || statement !== 'InsertQueryNode service_facts') return;
      refusals -= 1;
      throw new DatabaseUnavailable('it is locked');
    },
  });
  const trusting = [purge, deleteExpired];
  const isOver = ({ name }: Job) => server.log.some((line) => line.includes(`"job":"${name}"`));
  await using maintenance = openMaintenance({ ...server.context, db }, server.memory, trusting);
  // The first heartbeat, with which later times of the clock are compared.
  await expect.poll(() => server.context.db.selectFrom('processes').selectAll().execute()).toHaveLength(1);
  server.clock.jump(days(400));
  refusals = trusting.length;
  for (const job of trusting) maintenance.runSoon(job);
  await expect.poll(() => trusting.every(isOver)).toBe(true);
  expect(await countRows(server)).toEqual(before);
  for (const job of trusting) maintenance.runSoon(job);
  await expect.poll(() => isHeld(server)).toBe(true);
  expect(await jobsThatRan(server)).toEqual([]);
  expect(await countRows(server)).toEqual(before);
});

test('after 24 hours of running the jobs trust a clock that was not set back', async () => {
  await using server = await startServer();
  await using heartbeat = openHeartbeat(server.context, machineOf(server));
  await heartbeat.beat();
  server.clock.jump(days(40));
  await heartbeat.beat();
  await runFor(server, heartbeat, hours(10));
  // Time in which no process runs does not count.
  server.clock.advance(days(3));
  await heartbeat.beat();
  await runFor(server, heartbeat, hours(14) - minutes(1));
  expect(await jobsThatRan(server)).toEqual([]);
  await runFor(server, heartbeat, minutes(1));
  expect(await jobsThatRan(server)).toEqual(heldJobs);
  expect(alarms(server)).toBe(1);
});

test('an operator who confirms the clock ends the hold, until the next jump', async () => {
  await using server = await startServer();
  await using heartbeat = openHeartbeat(server.context, machineOf(server));
  await heartbeat.beat();
  expect(await confirmClock(server.context, actor)).toBe(false);
  server.clock.jump(days(1));
  await heartbeat.beat();
  await expect(purgeNow(server.context, actor, {}, signal)).rejects.toThrow(/^The clock jumped/);
  expect(await acceptClock(server.context)).toBe(true);
  expect(await jobsThatRan(server)).toEqual(heldJobs);
  server.clock.jump(-days(1));
  await heartbeat.beat();
  expect(await jobsThatRan(server)).toEqual([]);
});

test('steps of less than an hour, and a machine that sleeps, are no jumps', async () => {
  await using server = await startServer();
  await using heartbeat = openHeartbeat(server.context, machineOf(server));
  await heartbeat.beat();
  for (const step of [minutes(59), -minutes(59)]) {
    server.clock.jump(step);
    await heartbeat.beat();
  }
  server.clock.advance(days(2));
  await heartbeat.beat();
  expect(alarms(server)).toBe(0);
  expect(await jobsThatRan(server)).toEqual(heldJobs);
});

test.each([
  ['a year ahead', 366],
  ['two hours back', -1 / 12],
])('a clock set %s between two processes of one machine is found at the start', async (_, ahead) => {
  await using server = await startServer();
  const machine = machineOf(server);
  await runProcess(server, machine);
  server.clock.jump(days(ahead));
  await runProcess(server, machine);
  expect(alarms(server)).toBe(1);
  expect(await jobsThatRan(server)).toEqual([]);
});

/** The context of a process that starts now. */
async function startProcess({ context }: TestServer, machine: MachineClock) {
  const started = { ...context, clock: withSteadyTime(context.clock) };
  await checkClockAtStart(started, machine);
  return started;
}

test('a process that starts while the clock is a year ahead ends no session', async () => {
  await using server = await startServer();
  const machine = machineOf(server);
  const { browser } = await signUpAndIn(server);
  const cookies = { read: () => browser.cookies.get(cookieName(server, 'session')), set() {}, clear() {} };
  const isOpen = async (within: Pick<TestServer['context'], 'db' | 'clock'>) =>
    (await openSessionOf(within, cookies, { address: '203.0.113.1' })) !== undefined;
  await using heartbeat = openHeartbeat(server.context, machine);
  await heartbeat.beat();
  server.clock.jump(days(366));
  await heartbeat.beat();
  const first = await startProcess(server, machine);
  expect(await isOpen(server.context)).toBe(true);
  await runFor(server, heartbeat, hours(12));
  const second = await startProcess(server, machine);
  expect([await isOpen(server.context), await isOpen(first), await isOpen(second)]).toEqual([true, true, true]);
  await runFor(server, heartbeat, hours(12));
  expect([await isOpen(server.context), await isOpen(first), await isOpen(second)]).toEqual([false, false, false]);
  expect(alarms(server)).toBe(1);
});

test('a server that was off for a week on a running machine has the right time', async () => {
  await using server = await startServer();
  const machine = machineOf(server);
  await runProcess(server, machine);
  server.clock.advance(days(7));
  await runProcess(server, machine);
  expect([alarms(server), notices(server), await isHeld(server)]).toEqual([0, 0, false]);
});

/** Returns a function that turns the machine off for a while, and starts the service again with it. */
function machineThatRestarts(server: TestServer) {
  let boots = 0;
  return async (off: number) => {
    server.clock.advance(off);
    await runProcess(server, machineOf(server, `boot ${(boots += 1)}`));
    return [alarms(server), notices(server), await isHeld(server)];
  };
}

test.each([
  ['an hour and a half', hours(1.5), 0, 1],
  ['23 hours', hours(23), 0, 1],
  ['20 days', days(20), 1, 0],
  ['a year', days(366), 1, 0],
])('after a restart of the machine a gap of %s holds the jobs', async (_, gap, alarmed, noted) => {
  await using server = await startServer();
  const restart = machineThatRestarts(server);
  await restart(0);
  expect(await restart(minutes(50))).toEqual([0, 0, false]);
  expect(await restart(gap)).toEqual([alarmed, noted, true]);
  expect(await jobsThatRan(server)).toEqual([]);
});

test('a stop that was confirmed within 30 days covers stops of up to twice its length', async () => {
  await using server = await startServer();
  const restart = machineThatRestarts(server);
  await restart(0);
  expect(await restart(days(2))).toEqual([1, 0, true]);
  await acceptClock(server.context);
  expect(await restart(days(3.9))).toEqual([1, 0, false]);
  // 20 days ahead, ten days after the stop.
  expect(await restart(days(20))).toEqual([2, 0, true]);
  await acceptClock(server.context);
  expect(await restart(hours(14))).toEqual([2, 0, false]);
  expect(await restart(days(31))).toEqual([3, 0, true]);
});

test('a longer stop during a hold starts the hold again', async () => {
  await using server = await startServer();
  const restart = machineThatRestarts(server);
  await restart(0);
  await restart(hours(14));
  const before = await readClockHold(server.context);
  await restart(hours(20));
  expect(await readClockHold(server.context)).toMatchObject({ at: before?.at, by: before?.by });
  await restart(days(20));
  expect(await readClockHold(server.context)).toMatchObject({ cause: 'stop', left: days(1) - minutes(1) });
});

test('a machine that is switched off every night and every weekend deletes on most days', async () => {
  await using server = await startServer();
  const held: boolean[] = [];
  for (let day = 0; day < 60; day += 1) {
    if (day % 7 > 4) {
      server.clock.advance(days(1));
      continue;
    }
    server.clock.advance(hours(14));
    await using heartbeat = openHeartbeat(server.context, machineOf(server, `day ${day}`));
    await heartbeat.beat();
    await runFor(server, heartbeat, hours(10));
    held.push(await isHeld(server));
  }
  expect(held.filter((is) => is).length).toBeLessThan(held.length / 3);
  expect(held.slice(-7)).toContain(false);
});

test('after a restart of the machine a clock behind the last time in the database raises the alarm', async () => {
  await using server = await startServer();
  await runProcess(server, machineOf(server));
  server.clock.jump(-hours(2));
  await runProcess(server, machineOf(server, 'boot 2'));
  expect(alarms(server)).toBe(1);
  expect(await isHeld(server)).toBe(true);
});
