/**
 * The drill: a service of 200 accounts is backed up under load, continues to change, is lost with everything in it, and
 * is restored. The restored service is compared with a model, file by file.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hours } from '../../server/src/lib/clock.ts';
import { readLines } from '../../server/src/operator/backup/lines-file.ts';
import { holdfast } from '../../server/test/harness/holdfast.ts';
import { newFolder, newPlace } from '../../server/test/harness/new-place.ts';
import type { TestServer } from '../../server/test/harness/start-server.ts';
import { comparePeople, compareStorage, readHolds } from './compare.ts';
import {
  changeKey,
  changePassword,
  close,
  continueUploading,
  deleteAs,
  flipAs,
  grant,
  keepFor,
  levelOf,
  liveOf,
  type ModelFile,
  newPerson,
  type Person,
  uploadAs,
} from './people.ts';
import { buyAs, paidAccounts, startProvider } from './place.ts';
import { discardBytes, quarantineBytes, restoreBytes, sharedFiles, takeDownBytes } from './withhold.ts';

const accounts = 200;
const levels = ['starter', 'basic', 'power'] as const;

/** Returns every `step`th item of `all`, beginning at `start`. */
const some = <T>(all: readonly T[], step: number, start = 0): T[] => all.filter((_, at) => at % step === start);

/** Runs four at a time, like the concurrent users of a service. */
async function each<T>(all: readonly T[], act: (one: T, at: number) => Promise<unknown>): Promise<void> {
  const queue = all.entries();
  const work = async () => {
    for (const [at, one] of queue) await act(one, at);
  };
  await Promise.all([work(), work(), work(), work()]);
}

/** Commands run in their own processes and use the clock of the machine. */
const catchUp = ({ clock }: TestServer): void => clock.advance(Math.max(0, Date.now() - clock.now()));

test('after a total loss and a restore, files, credentials, plans, holds and usage match the model', async () => {
  await using owner = new AsyncDisposableStack();
  const { stripe, startService } = await startProvider(owner);
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  const people: Person[] = [];
  let server = await startService();
  owner.defer(() => server[Symbol.asyncDispose]());
  // A day passes before the backup, and the commands use the clock of the machine.
  server.clock.advance(-hours(26));

  // Before the backup.
  await each(Array.from({ length: accounts }), async () => people.push(await newPerson(server)));
  await each(people, async (person, at) => {
    for (let n = 0; n < 1 + (at % 4); n += 1)
      await uploadAs(server, person, n === 0 ? `shared by ten ${at % 20}` : `only of ${at}, ${n}`, { at: at + n });
  });
  await each(some(people, 7), (person, at) => grant(server, person, levels[at % 3] ?? 'basic'));
  await each(some(people, 16, 3), (person) => buy(person, 'basic_monthly', 'basic'));
  await each(some(people, 5, 1), (person) => keepFor(person, 30));
  await each(some(people, 9, 2), (person) => continueUploading(person, true));
  await each(some(people, 3), (person) => flipFirst(person));
  await each(some(people, 6, 4), (person) => deleteAs(server, person, liveOf(person).slice(-1)));
  const [down, bad, alarm, later, court, full] = sharedFiles(people, 6);
  if (!down || !bad || !alarm || !later || !court || !full) throw new Error('too few shared files');
  await takeDownBytes(server, people, down, 'DMCA-1');
  await takeDownBytes(server, people, court, 'COURT-1');
  await takeDownBytes(server, people, full, 'DMCA-2');
  await quarantineBytes(server, people, bad);
  await quarantineBytes(server, people, alarm);
  // A person whose account is full when the notice is withdrawn: a day and a purge later, the file can still be
  // restored.
  const crowded = people.find(
    ({ files, granted, paid, isContinuous }) =>
      files.some(({ bytes }) => bytes === full.bytes) && granted === 'free' && paid === 'free' && !isContinuous,
  );
  if (!crowded) throw new Error('nobody on Free has the bytes');
  const room = 500 - liveOf(crowded).length;
  await each(Array.from({ length: room }), (_, n) => uploadAs(server, crowded, `filler ${n}`, { at: 19 }));
  expect(await restoreBytes(server, people, full)).toEqual([crowded.email]);
  server.clock.advance(hours(25));
  await server.runJob('purge');
  /** The people for further changes; the full account is kept as it is. */
  const open = () => people.filter((person) => !person.isClosed && !person.isLost && person !== crowded);
  await each(some(open(), 50, 11), close);

  // The backup, under load.
  for (const { files } of people) for (const file of files) file.wasFavorite = file.favorite;
  catchUp(server);
  const backingUp = new AbortController();
  const made = holdfast(server, 'backup', backup, '--blobs', pool, '--json').finally(() => backingUp.abort());
  const underLoad: ModelFile[] = [];
  const load = some(open(), 40, 5).map(async (person, at) => {
    for (let n = 0; !backingUp.signal.aborted && n < 60; n += 1)
      underLoad.push(await uploadAs(server, person, `load ${at} ${n}`));
  });
  await Promise.all(load);
  expect(await made).toMatchObject({ code: 0, err: '' });

  // After the backup.
  const late = [await newPerson(server, true), await newPerson(server, true), await newPerson(server, true)];
  people.push(...late);
  for (const person of late) await uploadAs(server, person, `late ${person.email}`, { isLost: true });
  const [buyer] = late;
  if (!buyer) throw new Error('nobody came late');
  await buy(buyer, 'power_yearly', 'power');
  await each(some(open(), 8, 1), (person) => changeKey(server, person));
  await each(some(open(), 11, 4), (person) => changePassword(person));
  await each(some(open(), 10, 1), (person) => keepFor(person, person.autoDeleteDays === 0 ? 7 : 0));
  await each(some(open(), 13, 2), (person) => continueUploading(person, !person.isContinuous));
  await each(some(open(), 14), (person) => grant(server, person, person.granted === 'free' ? 'advanced' : 'free'));
  await each(some(open(), 32, 10), (person) => buy(person, 'power_monthly', 'power'));
  const canceled = open().find(({ paid }) => paid === 'basic');
  if (!canceled) throw new Error('nobody pays');
  const customer = [...stripe.state.customers.values()].find(({ metadata }) => metadata['account'] === canceled.id);
  const paying = [...stripe.state.subscriptions.values()].find((one) => one.customer === customer?.id);
  stripe.state.change(paying?.id ?? '', { status: 'canceled' });
  await stripe.delivered();
  canceled.paid = 'free';
  await each(some(open(), 4, 3), (person) => uploadAs(server, person, `after ${person.id}`, { isLost: true }));
  await each(some(open(), 6, 2), (person) => deleteAs(server, person, liveOf(person).slice(0, 1)));
  await each(some(open(), 5, 2), (person) => flipFirst(person));
  await takeDownBytes(server, people, later, 'DMCA-3');
  await quarantineBytes(server, people, sharedFiles(people, 1)[0] ?? later);
  await restoreBytes(server, people, alarm);
  await restoreBytes(server, people, down);
  await discardBytes(server, court);
  const payingCloser = open().find(({ paid }) => paid === 'power');
  await each(some(open(), 60, 7), close);
  if (payingCloser) await close(payingCloser);
  expect(await holdfast(server, 'backup', backup, '--deletions')).toMatchObject({
    code: 0,
    err: '',
  });
  const holds = await readHolds(server, people);

  // Only the backup and the provider survive.
  const inBackup = await namesIn(backup);
  for (const file of underLoad) file.isLost = !inBackup.has(file.name);
  await server[Symbol.asyncDispose]();
  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 0, err: '' });
  const checked = await holdfast(place, 'fsck', '--scrub');
  expect(checked, checked.out).toMatchObject({ code: 0, err: '' });
  server = await startService(place.environment);

  // The first night, and the purge of two days.
  for (const job of ['reconcile-subscriptions', 'cancel-subscriptions']) await server.runJob(job);
  await server.runJob('auto-delete');
  for (let day = 0; day < 2; day += 1) {
    server.clock.advance(hours(25));
    for (const job of ['auto-delete', 'purge', 'cancel-subscriptions', 'sweep-strays']) await server.runJob(job);
  }
  await comparePeople(server, people);
  expect(await readHolds(server, people)).toEqual(holds);
  await compareStorage(server);
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0, err: '' });

  // Each paid subscription belongs to an account that exists.
  const payers = open().filter(({ paid }) => paid !== 'free');
  expect(paidAccounts(stripe).toSorted()).toEqual(payers.map(({ id }) => id).toSorted());
  for (const person of payers) expect(levelOf(person)).not.toBe('free');

  // A file that still waited for space is restored under its name once there is enough.
  await deleteAs(server, crowded, liveOf(crowded).slice(-1));
  expect(await restoreBytes(server, people, full)).toEqual([]);
  await comparePeople(server, [crowded]);

  async function flipFirst(person: Person): Promise<void> {
    const [file] = liveOf(person);
    if (file) await flipAs(server, person, file);
  }

  async function buy(
    person: Person,
    plan: 'basic_monthly' | 'power_monthly' | 'power_yearly',
    level: 'basic' | 'power',
  ) {
    if (person.granted !== 'free' || person.paid !== 'free') return;
    await buyAs(server, stripe, person, plan);
    person.paid = level;
  }
});

async function namesIn(backup: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const page of readLines<{ name: string }>(join(backup, 'files.jsonl.gz')))
    for (const { name } of page) names.add(name);
  return names;
}
