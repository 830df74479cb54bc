/** The post by itself: several processes on one database, processes that end in the middle, letters that never go. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import type { Mail } from '../../src/engines/mail/mail.ts';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { type LetterToQueue, queueLetter } from '../../src/post/queue-letter.ts';
import { openPost } from '../../src/post/send-letters.ts';
import { createTestClock, type TestClock } from '../harness/test-clock.ts';
import { createTestDatabase } from '../harness/test-database.ts';

interface Office extends AsyncDisposable {
  readonly context: Context;
  readonly clock: TestClock;
  readonly log: readonly string[];
}

/** An open database and nothing that sends. */
async function openOffice(): Promise<Office> {
  const opened = new AsyncDisposableStack();
  const database = opened.use(await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-post-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const clock = createTestClock();
  const log: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, ...(database.url !== null && { DATABASE_URL: database.url }) });
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) });
  const context = opened.use(await openContext(config, logger, { clock }));
  return { context, clock, log, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const letterTo = (to: string, validFor: number | null = null): LetterToQueue => ({
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

const waiting = ({ context }: Office) => context.db.selectFrom('letters').selectAll().execute();

test('three processes that look at once send each of 60 letters once', async () => {
  await using office = await openOffice();
  const { context } = office;
  const people = Array.from({ length: 60 }, (_, at) => `person${at}@example.com`);
  for (const to of people) await queueLetter(context, letterTo(to));
  const mail = mailThat(() => {});
  await using one = openPost({ ...context, mail });
  await using two = openPost({ ...context, mail });
  await using three = openPost({ ...context, mail });
  await Promise.all([one, two, three].map((post) => post.flush()));
  expect(mail.asked.map(({ to }) => to).toSorted()).toEqual(people.toSorted());
  expect(await waiting(office)).toEqual([]);
});

/** A mail server that keeps each letter until it is let go. */
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
  for (let at = 0; at < count; at += 1) await queueLetter(context, letterTo(`person${at}@example.com`));
}

test.each([
  ['four that expire', [minutes(10)], 4],
  ['four that are of use for ever', [null], 4],
  ['five of both kinds', [minutes(10), null], 5],
])('at most %s are on their way at once', async (_many, kinds, most) => {
  await using office = await openOffice();
  for (let count = 0; count < 23; count += 1)
    await queueLetter(office.context, letterTo(`person${count}@example.com`, kinds[count % kinds.length]));
  const { mail, kept, letAllGo } = slowMail();
  await using post = openPost({ ...office.context, mail });
  const flushed = post.flush();
  await expect.poll(() => kept.length).toBe(most);
  expect(await letAllGo(flushed)).toEqual({ most });
  expect(mail.asked).toHaveLength(23);
});

test('a code that is queued while 200 others go out slowly waits for none of them', async () => {
  await using office = await openOffice();
  await queueMany(office, 200);
  const { mail, kept, letAllGo, to } = slowMail();
  await using post = openPost({ ...office.context, mail });
  const flushed = post.flush();
  await expect.poll(() => kept.length).toBe(4);
  await queueLetter(office.context, letterTo('ada@example.com', minutes(10)));
  post.wake();
  await expect.poll(to).toContain('ada@example.com');
  expect(to()).toHaveLength(5);
  await letAllGo(flushed);
  expect(await waiting(office)).toEqual([]);
});

test('of letters that wait those that expire go first, however many others are older', async () => {
  await using office = await openOffice();
  await queueMany(office, 200);
  office.clock.advance(1);
  for (const name of ['ada', 'eve', 'joe'])
    await queueLetter(office.context, letterTo(`${name}@example.com`, minutes(10)));
  const mail = mailThat(() => {});
  await using post = openPost({ ...office.context, mail });
  await post.flush();
  expect(mail.asked).toHaveLength(203);
  const first = mail.asked.slice(0, 3).map(({ to }) => to);
  expect(first.toSorted()).toEqual(['ada@example.com', 'eve@example.com', 'joe@example.com']);
});

test('letters that are of use for ever keep a place, however many codes wait', async () => {
  await using office = await openOffice();
  for (let at = 0; at < 30; at += 1) await queueLetter(office.context, letterTo(`code${at}@example.com`, minutes(10)));
  await queueMany(office, 3);
  const { mail, kept, letAllGo, to } = slowMail();
  await using post = openPost({ ...office.context, mail });
  const flushed = post.flush();
  await expect.poll(() => kept.length).toBe(5);
  expect(to().filter((address) => address.startsWith('person'))).toHaveLength(1);
  await letAllGo(flushed);
});

test('a letter that is rolled back is never sent', async () => {
  await using office = await openOffice();
  const { context } = office;
  const failing = context.db.transaction().execute(async (tx) => {
    await queueLetter({ ...context, db: tx }, letterTo('ada@example.com'));
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  const mail = mailThat(() => {});
  await using post = openPost({ ...context, mail });
  await post.flush();
  expect(mail.asked).toEqual([]);
});

test('what a letter says cannot be read in the database while it waits', async () => {
  await using office = await openOffice();
  await queueLetter(office.context, letterTo('ada@example.com'));
  const rows = JSON.stringify(await waiting(office));
  expect(rows).toContain('ada@example.com');
  expect(rows).not.toContain('kelp-forest-7');
  expect(rows).not.toContain('News');
});

test('a process that ends while it sends leaves the letter to another, under the same name, two minutes later', async () => {
  await using office = await openOffice();
  const { context, clock } = office;
  await queueLetter(context, letterTo('ada@example.com'));
  const started = Promise.withResolvers<void>();
  const stuck = Promise.withResolvers<void>();
  const dying = mailThat(() => {
    started.resolve();
    return stuck.promise;
  });
  await using first = openPost({ ...context, mail: dying });
  const firstFlush = first.flush();
  await started.promise;
  const mail = mailThat(() => {});
  await using second = openPost({ ...context, mail });
  clock.advance(minutes(2) - 1);
  await second.flush();
  expect(mail.asked).toEqual([]);
  clock.advance(1);
  await second.flush();
  expect(mail.asked).toEqual(dying.asked);
  // It was only slow: what it finds out now changes nothing any more.
  stuck.reject(new Error('too late'));
  await firstFlush;
  expect(await waiting(office)).toEqual([]);
});

test('a letter that is out is not sent again because the database could not note it', async () => {
  await using office = await openOffice();
  const { context, clock } = office;
  await queueLetter(context, letterTo('ada@example.com'));
  const rename = (from: string, to: string) => context.db.schema.alterTable(from).renameTo(to).execute();
  const mail = mailThat(() => rename('letters', 'letters_away'));
  await using post = openPost({ ...context, mail });
  await post.flush();
  await rename('letters_away', 'letters');
  expect(await waiting(office)).toHaveLength(1);
  clock.advance(minutes(2));
  await post.flush();
  expect(mail.asked).toHaveLength(1);
  expect(await waiting(office)).toEqual([]);
});

test('a letter is tried ever more seldom, and for three days', async () => {
  await using office = await openOffice();
  const { context, clock, log } = office;
  const began = clock.now();
  await queueLetter(context, letterTo('ada@example.com'));
  const times: number[] = [];
  const mail = mailThat(() => {
    times.push(clock.now());
    throw new Error('no server there, only kelp-forest-7');
  });
  await using post = openPost({ ...context, mail });
  for (;;) {
    await post.flush();
    const [letter] = await waiting(office);
    if (!letter) break;
    clock.advance(letter.due_at - clock.now());
  }
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(Math.max(...gaps.slice(0, 3))).toBeLessThanOrEqual(20_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(minutes(15));
  expect(Math.min(...gaps.slice(12))).toBeGreaterThanOrEqual(minutes(7));
  expect(new Set(gaps.slice(12)).size).toBeGreaterThan(5);
  expect(clock.now() - began).toBeGreaterThanOrEqual(days(3));
  expect(clock.now() - began).toBeLessThan(days(3) + hours(1));
  const last = log.at(-1) ?? '';
  expect(last).toContain('is given up');
  expect(last).toContain('"level":50');
  expect(log.join('\n')).not.toContain('kelp-forest-7');
});

test('a letter that is of no use any more is dropped', async () => {
  await using office = await openOffice();
  const { context, clock } = office;
  await queueLetter(context, letterTo('ada@example.com', minutes(10)));
  await queueLetter(context, letterTo('eve@example.com', minutes(11)));
  clock.advance(minutes(10));
  const mail = mailThat(() => {});
  await using post = openPost({ ...context, mail });
  await post.flush();
  expect(mail.asked.map(({ to }) => to)).toEqual(['eve@example.com']);
  expect(await waiting(office)).toEqual([]);
});

test('closing waits for the letter that is being sent, and begins no other', async () => {
  await using office = await openOffice();
  const { context } = office;
  await queueMany(office, 8);
  const started = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const mail = mailThat(() => {
    started.resolve();
    return goOn.promise;
  });
  const post = openPost({ ...context, mail });
  const flushed = post.flush();
  await started.promise;
  let closed = false;
  const closing = post[Symbol.asyncDispose]().then(() => (closed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(false);
  goOn.resolve();
  await closing;
  await flushed;
  expect(mail.asked).toHaveLength(4);
  expect(await waiting(office)).toHaveLength(4);
});
