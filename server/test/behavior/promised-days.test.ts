/** A promise in days is kept until its last day is over where its owner lives, also when summer time begins or ends. */
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { purge } from '../../src/jobs/purge.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { stateOf } from '../harness/account-state.ts';
import { newEmail, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { backUpInto } from '../harness/backups.ts';
import { newFolder } from '../harness/new-place.ts';
import { runOf } from '../harness/run-of.ts';
import { test } from '../harness/server-test.ts';
import { levelOf, openShop, subscriptionOf } from '../harness/shop.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { type Subscriber, subscribed } from '../harness/subscribers.ts';
import { uploadFile } from '../harness/uploads.ts';

const losAngeles = 'America/Los_Angeles';
const newYork = 'America/New_York';
const kolkata = 'Asia/Kolkata';
const auckland = 'Pacific/Auckland';
const zones = [losAngeles, newYork, kolkata, auckland];
/** Who has not opened the settings in a browser has told no zone, and may live in any. */
const nowhere = null;
const places = [...zones, nowhere];
const zonesOf = (place: string | null) => (place === null ? zones : [place]);

/** In the weeks after them summer time begins or ends in Los Angeles and New York, or in Auckland. */
const [northSpring, southAutumn, southSpring, northAutumn] = [
  '2027-03-09T06:30Z',
  '2027-03-29T23:50Z',
  '2027-09-21T11:40Z',
  '2027-11-05T04:10Z',
];
const starts = [northSpring, southAutumn, southSpring, northAutumn];

const dateIn = (zone: string, time: number) => new Date(time).toLocaleDateString('en-CA', { timeZone: zone });
const isoDate = (text: string | undefined) => new Date(`${text} UTC`).toISOString().slice(0, 10);
const plus = (date: string, count: number) => new Date(Date.parse(date) + days(count)).toISOString().slice(0, 10);

const setClock = ({ clock }: TestServer, start: string) => clock.jump(Date.parse(start) - clock.now());

async function live({ context: { db } }: TestServer, { email }: SignedIn, timezone: string | null) {
  if (timezone !== null) await db.updateTable('accounts').set({ timezone }).where('email', '=', email).execute();
}

/** One owner in each place. */
const ownersIn = (server: TestServer) =>
  Promise.all(
    places.map(async (place) => {
      const account = await signUpAndIn(server);
      await live(server, account, place);
      return { place, account };
    }),
  );

/** The schedule starts each run within half a minute. */
const jitter = 29_000;

/** Advances to the next run of a job at this time of day, in UTC. */
async function nextRun(server: TestServer, [hour, minute]: readonly [number, number], job: string) {
  const next = new Date(server.clock.now());
  next.setUTCHours(hour, minute, next.getUTCDate() % 2 === 0 ? 0 : jitter / 1000, 0);
  const wait = next.getTime() - server.clock.now();
  server.clock.advance(wait > 0 ? wait : wait + days(1));
  await server.runJob(job);
}

const emailsTo = async (server: TestServer, { email }: SignedIn, subject: RegExp) => {
  await server.emailWorker.flush();
  return (await server.mail.emails()).filter((each) => each.to === email && subject.test(each.subject ?? ''));
};

const warned = ({ context: { db } }: TestServer, { email }: SignedIn) =>
  db
    .selectFrom('accounts')
    .select(['first_warned_at', 'last_warned_at'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();

test.each([northSpring, southSpring])(
  'files last used at %s are deleted when the day that both warnings name is over',
  async (start) => {
    await using server = await startServer();
    setClock(server, start);
    const owners = await ownersIn(server);
    for (const { account } of owners) await uploadFile(server, account);
    server.clock.advance(days(334));
    const kept = new Set(owners);
    while (kept.size > 0) {
      const before = server.clock.now();
      await nextRun(server, [2, 29], 'dormancy');
      await server.emailWorker.flush();
      for (const owner of kept) {
        const { place, account } = owner;
        if ((await stateOf(server, account)).names.length > 0) continue;
        kept.delete(owner);
        const warnings = await emailsTo(server, account, /will be deleted/);
        const named = warnings.map(({ subject }) => isoDate(/ after (.+)$/.exec(subject)?.[1]));
        expect(named).toEqual([named[0], named[0]]);
        const day = named[0] ?? '';
        const { first_warned_at: first, last_warned_at: last } = await warned(server, account);
        for (const [sent, ahead] of [
          [first, 30],
          [last, 7],
        ] as const)
          expect(Math.floor((server.clock.now() - sent) / days(1)) - ahead).toBeOneOf([0, 1, 2]);
        for (const zone of zonesOf(place)) expect(dateIn(zone, server.clock.now()) > day).toBe(true);
        if (place !== null) expect(dateIn(place, before) <= day).toBe(true);
      }
    }
    expect(server.clock.now() - Date.parse(start)).toBeLessThan(days(369));
  },
);

test.each(starts)(
  'a plan whose payment failed at %s is kept until the day that the email names is over',
  async (start) => {
    await using shop = await openShop();
    const { server, stripe } = shop;
    setClock(server, start);
    const paying = new Set<Subscriber & { place: string | null }>();
    for (const place of places) {
      const subscriber = await subscribed(shop);
      await live(server, subscriber.person, place);
      stripe.state.change(subscriber.id, { status: 'past_due' });
      paying.add({ ...subscriber, place });
    }
    await stripe.delivered();
    const failed = server.clock.now();
    server.clock.advance(days(6));
    while (paying.size > 0) {
      const before = server.clock.now();
      server.clock.advance(hours(1));
      await server.runJob('end-grace');
      for (const subscriber of paying) {
        const { place, person } = subscriber;
        if ((await levelOf(person)) === 'Basic') continue;
        paying.delete(subscriber);
        const [email] = await emailsTo(server, person, /^A payment/);
        const named = isoDate(/until the end of ([^.]+)\./.exec(email?.text.replaceAll(/\s+/g, ' ') ?? '')?.[1]);
        for (const zone of zonesOf(place)) expect(dateIn(zone, server.clock.now()) > named).toBe(true);
        const { grace_ends } = (await subscriptionOf(person)) ?? {};
        expect(server.clock.now() - Date.parse(grace_ends ?? '')).toBeLessThan(hours(1));
        if (place === null) continue;
        expect(named).toBe(plus(dateIn(place, failed), 7));
        expect(dateIn(place, before)).toBe(named);
      }
    }
  },
);

interface Promised {
  readonly begun: number;
  readonly count: number;
  readonly run: () => Promise<unknown>;
  readonly isKept: () => Promise<unknown>;
}

/** Runs a job until nothing is left; the last of these days is over then in each zone. */
async function expectKept({ clock }: TestServer, { begun, count, run, isKept }: Promised) {
  clock.advance(Math.max(0, begun + days(count - 1) - clock.now()));
  expect(await isKept()).toBeTruthy();
  while (await isKept()) await run();
  for (const zone of zones) expect(dateIn(zone, clock.now()) > plus(dateIn(zone, begun), count)).toBe(true);
  expect(clock.now() - begun).toBeLessThan(days(count + 2) + hours(2));
}

test.each([southAutumn, northAutumn])(
  'what is kept for days from %s on is gone once the last of them is over',
  async (start) => {
    await using server = await startServer();
    setClock(server, start);
    const { context, clock } = server;
    const { db } = context;
    const begun = clock.now();
    const [account, other] = [await signUpAndIn(server), await signUpAndIn(server)];
    await account.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 10 } });
    await uploadFile(server, account);
    const [bad, deleted] = [await uploadFile(server, other, 'bad'), await uploadFile(server, other, 'deleted')];
    await quarantine(context, await findBytes(context, bad), 'Bad.Thing');
    await signUp(server, newEmail());
    const signUps = db
      .selectFrom('accounts')
      .select('id')
      .where('verified_at', 'is', null)
      .where('closed_at', 'is', null);
    const row = db.selectFrom('files').select('id').where('name', '=', deleted);
    clock.advance(days(1));
    const deletedAt = clock.now();
    await other.byKey.deleteFiles({ body: { files: [deleted] } });

    const nightly = (job: string, at: readonly [number, number]) => () => nextRun(server, at, job);
    const hourly = (job: string) => async () => {
      clock.advance(hours(1));
      await server.runJob(job);
    };
    const isUnused = async () => (await stateOf(server, account)).names.length > 0;
    const isListed = async () => (await stateOf(server, other)).activity.length > 0;
    const isHeld = db.selectFrom('blobs').select('id').where('held_for', 'is not', null);
    for (const promised of [
      { begun, count: 7, run: nightly('delete-unverified', [3, 41]), isKept: () => signUps.executeTakeFirst() },
      { begun, count: 10, run: nightly('auto-delete', [2, 17]), isKept: isUnused },
      { begun, count: 90, run: hourly('purge'), isKept: () => isHeld.executeTakeFirst() },
      { begun, count: 366, run: hourly('delete-expired'), isKept: isListed },
      { begun: deletedAt, count: 366, run: hourly('purge'), isKept: () => row.executeTakeFirst() },
    ])
      await expectKept(server, promised);
    expect(await db.selectFrom('used_names').select('name').execute()).toContainEqual({ name: deleted });
  },
);

/** These name no day: each day has 24 hours, also where the server is. */
test.each(zones)('periods that name no day are as long as ever while clocks are set in %s', async (zone) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  const offsets = starts.map((start) => new Date(start).getTimezoneOffset());
  expect(new Set(offsets).size).toBe(zone === kolkata ? 1 : 2);
  await using server = await startServer();
  const { clock } = server;
  for (const start of starts) {
    setClock(server, start);
    const begun = clock.now();
    const until = (passed: number) => clock.advance(begun + passed - clock.now());
    const [one, other] = [await signUpAndIn(server), await signUpAndIn(server)];
    const hasSession = ({ browser }: SignedIn) =>
      browser.client.getAccountInfo().then(
        () => true,
        () => false,
      );
    const bytes = async () => (await purge.run(runOf(server)), (await storedNames(server)).length);
    await one.byKey.deleteFiles({ body: { files: [await uploadFile(server, one, start)] } });
    const root = await newFolder();
    const backUp = () => backUpInto(root, server, { withBytes: false, keepDays: 7 });
    const { path } = await backUp();
    const isKept = async () => (await readdir(root)).includes(basename(path));

    until(hours(24) - 1);
    expect(await bytes()).toBe(1);
    until(hours(24));
    expect(await bytes()).toBe(0);
    until(days(7));
    await backUp();
    expect(await isKept()).toBe(true);
    await backUp();
    expect(await isKept()).toBe(false);
    until(days(14) - 1);
    expect(await hasSession(one)).toBe(true);
    until(days(14));
    expect(await hasSession(other)).toBe(false);
    until(days(27));
    expect(await hasSession(one)).toBe(true);
    until(days(30) - 1);
    expect(await hasSession(one)).toBe(true);
    until(days(30));
    expect(await hasSession(one)).toBe(false);
  }
});

test('a closed account and a deleted file are gone within seven days, also if the jobs pause for one', async ({
  server,
}) => {
  const [closed, other] = [await signUpAndIn(server), await signUpAndIn(server)];
  await uploadFile(server, closed, 'closed');
  await other.byKey.deleteFiles({ body: { files: [await uploadFile(server, other, 'deleted')] } });
  await closed.browser.client.deleteAccount();
  await server.runJob('empty-accounts');
  server.clock.advance(days(2));
  await server.runJob('purge');
  expect(await storedNames(server)).toEqual([]);
  const rows = await server.context.db.selectFrom('accounts').select('email').execute();
  expect(rows.map(({ email }) => email).toSorted()).toEqual(['', other.email]);
});
