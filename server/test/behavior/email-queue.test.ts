/** The email worker alone: several processes on one database, processes that die midway, emails that are never sent. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import type { Mail } from '../../src/services/mail/mail.ts';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { type EmailToQueue, queueEmail } from '../../src/email/queue-email.ts';
import { openEmailWorker } from '../../src/email/worker.ts';
import { createTestClock, type TestClock } from '@holdfast/test-support/test-clock.ts';
import { createMigratedDatabase, placeMigrated } from '../harness/test-database.ts';

interface Office extends AsyncDisposable {
  readonly context: Context;
  readonly clock: TestClock;
  readonly log: readonly string[];
}

/** An open database without an email worker. */
async function openOffice(): Promise<Office> {
  const opened = new AsyncDisposableStack();
  const database = opened.use(await createMigratedDatabase());
  const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-post-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const clock = createTestClock();
  const log: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, ...(database.url !== null && { DATABASE_URL: database.url }) });
  if (config.database.engine === 'sqlite') await placeMigrated(config.database.path);
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) });
  const context = opened.use(await openContext(config, logger, { clock }));
  return { context, clock, log, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const emailTo = (to: string, validFor: number | null = null): EmailToQueue => ({
  to,
  subject: 'News',
  text: 'The secret word is kelp-forest-7.',
  html: '<p>The secret word is kelp-forest-7.</p>',
  secret: 'kelp-forest-7',
  validFor,
});

interface Sent {
  readonly to: string;
  readonly id: string;
}

function mailThat(send: (sent: Sent) => Promise<void> | void): Mail & { readonly asked: Sent[] } {
  const asked: Sent[] = [];
  return {
    asked,
    reachesPeople: true,
    async send({ to }, id) {
      asked.push({ to, id });
      await send({ to, id });
    },
    async [Symbol.asyncDispose]() {},
  };
}

const waiting = ({ context }: Office) => context.db.selectFrom('outgoing_emails').selectAll().execute();

test('three concurrent processes send each of 60 emails once', async () => {
  await using office = await openOffice();
  const { context } = office;
  const people = Array.from({ length: 60 }, (_, at) => `person${at}@example.com`);
  for (const to of people) await queueEmail(context, emailTo(to));
  const mail = mailThat(() => {});
  await using one = openEmailWorker({ ...context, mail });
  await using two = openEmailWorker({ ...context, mail });
  await using three = openEmailWorker({ ...context, mail });
  await Promise.all([one, two, three].map((emailWorker) => emailWorker.flush()));
  expect(mail.asked.map(({ to }) => to).toSorted()).toEqual(people.toSorted());
  expect(await waiting(office)).toEqual([]);
});

/** A mail server that holds each email until the test releases it. */
function slowMail() {
  const kept: (() => void)[] = [];
  const mail = mailThat(() => new Promise<void>((resolve) => void kept.push(resolve)));
  const letAllGo = async (flushed: Promise<void>) => {
    let most = 0;
    let done = false;
    void flushed.then(() => (done = true));
    for (;;) {
      if (done) return { most };
      most = Math.max(most, kept.length);
      kept.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { mail, kept, letAllGo, to: () => mail.asked.map(({ to }) => to) };
}

async function queueMany({ context }: Office, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await queueEmail(context, emailTo(`person${at}@example.com`));
}

test.each([
  ['four that expire', [minutes(10)], 4],
  ['four that are of use for ever', [null], 4],
  ['five of both kinds', [minutes(10), null], 5],
])('at most %s are sent at once', async (_many, kinds, most) => {
  await using office = await openOffice();
  for (let count = 0; count < 23; count += 1)
    await queueEmail(office.context, emailTo(`person${count}@example.com`, kinds[count % kinds.length]));
  const { mail, kept, letAllGo } = slowMail();
  await using emailWorker = openEmailWorker({ ...office.context, mail });
  const flushed = emailWorker.flush();
  await expect.poll(() => kept.length).toBe(most);
  expect(await letAllGo(flushed)).toEqual({ most });
  expect(mail.asked).toHaveLength(23);
});

test('a code queued while 200 emails are sent slowly waits for none of them', async () => {
  await using office = await openOffice();
  await queueMany(office, 200);
  const { mail, kept, letAllGo, to } = slowMail();
  await using emailWorker = openEmailWorker({ ...office.context, mail });
  const flushed = emailWorker.flush();
  await expect.poll(() => kept.length).toBe(4);
  await queueEmail(office.context, emailTo('ada@example.com', minutes(10)));
  emailWorker.wake();
  await expect.poll(to).toContain('ada@example.com');
  expect(to()).toHaveLength(5);
  await letAllGo(flushed);
  expect(await waiting(office)).toEqual([]);
});

test('one slot is kept for emails that never expire, while 30 codes wait', async () => {
  await using office = await openOffice();
  for (let at = 0; at < 30; at += 1) await queueEmail(office.context, emailTo(`code${at}@example.com`, minutes(10)));
  await queueMany(office, 3);
  const { mail, kept, letAllGo, to } = slowMail();
  await using emailWorker = openEmailWorker({ ...office.context, mail });
  const flushed = emailWorker.flush();
  await expect.poll(() => kept.length).toBe(5);
  expect(to().filter((address) => address.startsWith('person'))).toHaveLength(1);
  await letAllGo(flushed);
});

test('an email whose transaction is rolled back is never sent', async () => {
  await using office = await openOffice();
  const { context } = office;
  const failing = context.db.transaction().execute(async (tx) => {
    await queueEmail({ ...context, db: tx }, emailTo('ada@example.com'));
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  const mail = mailThat(() => {});
  await using emailWorker = openEmailWorker({ ...context, mail });
  await emailWorker.flush();
  expect(mail.asked).toEqual([]);
});

test('an email of an ended process is sent again after two minutes with its Message-ID', async () => {
  await using office = await openOffice();
  const { context, clock } = office;
  await queueEmail(context, emailTo('ada@example.com'));
  const started = Promise.withResolvers<void>();
  const stuck = Promise.withResolvers<void>();
  const dying = mailThat(() => {
    started.resolve();
    return stuck.promise;
  });
  await using first = openEmailWorker({ ...context, mail: dying });
  const firstFlush = first.flush();
  await started.promise;
  const mail = mailThat(() => {});
  await using second = openEmailWorker({ ...context, mail });
  clock.advance(minutes(2) - 1);
  await second.flush();
  expect(mail.asked).toEqual([]);
  clock.advance(1);
  await second.flush();
  expect(mail.asked).toEqual(dying.asked);
  // The server was only slow: its result has no effect any more.
  stuck.reject(new Error('too late'));
  await firstFlush;
  expect(await waiting(office)).toEqual([]);
});

test('a sent email is not sent again when the database could not record it', async () => {
  await using office = await openOffice();
  const { context, clock } = office;
  await queueEmail(context, emailTo('ada@example.com'));
  const rename = (from: string, to: string) => context.db.schema.alterTable(from).renameTo(to).execute();
  const mail = mailThat(() => rename('outgoing_emails', 'outgoing_emails_away'));
  await using emailWorker = openEmailWorker({ ...context, mail });
  await emailWorker.flush();
  await rename('outgoing_emails_away', 'outgoing_emails');
  expect(await waiting(office)).toHaveLength(1);
  clock.advance(minutes(2));
  await emailWorker.flush();
  expect(mail.asked).toHaveLength(1);
  expect(await waiting(office)).toEqual([]);
});

test('an email is retried at growing intervals for three days', async () => {
  await using office = await openOffice();
  const { context, clock, log } = office;
  const began = clock.now();
  await queueEmail(context, emailTo('ada@example.com'));
  const times: number[] = [];
  const mail = mailThat(() => {
    times.push(clock.now());
    throw new Error('no server there, only kelp-forest-7');
  });
  await using emailWorker = openEmailWorker({ ...context, mail });
  for (;;) {
    await emailWorker.flush();
    const [email] = await waiting(office);
    if (!email) break;
    clock.advance(email.due_at - clock.now());
  }
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(Math.max(...gaps.slice(0, 3))).toBeLessThanOrEqual(20_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(minutes(15));
  expect(Math.min(...gaps.slice(12))).toBeGreaterThanOrEqual(minutes(7));
  expect(new Set(gaps.slice(12)).size).toBeGreaterThan(5);
  expect(clock.now() - began).toBeGreaterThanOrEqual(days(3));
  expect(clock.now() - began).toBeLessThan(days(3) + hours(1));
  const last = log.at(-1) ?? '';
  expect(last).toContain('was given up');
  expect(last).toContain('"level":50');
  expect(log.join('\n')).not.toContain('kelp-forest-7');
});

test('an expired email is dropped', async () => {
  await using office = await openOffice();
  const { context, clock } = office;
  await queueEmail(context, emailTo('ada@example.com', minutes(10)));
  await queueEmail(context, emailTo('eve@example.com', minutes(11)));
  clock.advance(minutes(10));
  const mail = mailThat(() => {});
  await using emailWorker = openEmailWorker({ ...context, mail });
  await emailWorker.flush();
  expect(mail.asked.map(({ to }) => to)).toEqual(['eve@example.com']);
  expect(await waiting(office)).toEqual([]);
});

test('closing waits for the emails being sent, and starts no others', async () => {
  await using office = await openOffice();
  const { context } = office;
  await queueMany(office, 8);
  const started = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const mail = mailThat(() => {
    started.resolve();
    return goOn.promise;
  });
  const emailWorker = openEmailWorker({ ...context, mail });
  const flushed = emailWorker.flush();
  await started.promise;
  let closed = false;
  const closing = emailWorker[Symbol.asyncDispose]().then(() => (closed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(false);
  goOn.resolve();
  await closing;
  await flushed;
  expect(mail.asked).toHaveLength(4);
  expect(await waiting(office)).toHaveLength(4);
});
