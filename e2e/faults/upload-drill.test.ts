/**
 * A stress test of the upload queue: 120 files from the disk, three tabs, two users who sign in and out in turn,
 * responses and connections lost at random, two server restarts, and an upgrade of all assets. At the end each file is
 * stored exactly once, in its owner's account, and every row of the queue is correct. One seed runs with all tests;
 * `DRILL_SEEDS=10` runs ten.
 */
import { calls } from '@holdfast/contract/src/calls.ts';
import type { Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test, uploadPath } from '../harness/behind-relay.ts';
import type { DiskFolder } from '../harness/disk-folder.ts';
import type { Fault } from '../harness/relay.ts';
import { pageHeading } from '../harness/screen.ts';
import { seeded, type Seeded } from '../harness/seeded.ts';
import { signIn } from '../harness/sign-in.ts';
import type { Site } from '../harness/site.ts';
import { storedFiles, storedNames } from '../harness/stored-files.ts';
import { type Person, signUpOnce } from '../harness/test.ts';
import { start } from '../harness/upload-queue.ts';

const filesEach = 60;
const seeds = Array.from({ length: Number(process.env['DRILL_SEEDS'] ?? 1) }, (_, index) => index + 1);

for (const seed of seeds)
  test(`every file is stored once in its owner's account despite restarts and lost responses (seed ${seed})`, async ({
    browser,
    context,
    disk,
    relay,
    site,
  }) => {
    test.setTimeout(240_000);
    const random = seeded(seed);
    relay.spoil(uploadPath, loseSome(seeded(-seed)));
    const people = [
      await moveIn(disk, random, 'ada', (await signUpOnce(site, browser)).person),
      await moveIn(disk, random, 'bob', (await signUpOnce(site, browser)).person),
    ] as const;
    const tabs = [await context.newPage(), await context.newPage(), await context.newPage()] as const;
    const restart = async () => {
      await site.stop(random.pick(['SIGTERM', 'SIGKILL']));
      await site.start();
    };
    const events = shuffled(random, [restart, restart, async () => relay.renameAssets(), async () => {}]);
    for (const [turn, event] of events.entries()) {
      const owner = people[turn % 2 === 0 ? 0 : 1];
      await signInWith(random.pick(tabs), owner.person);
      await sendFiles(tabs, site, owner);
      // The event happens somewhere in the batch, and so does the end of the turn.
      const goal = Math.min(filesEach, (await storedNames(site, owner.person)).length + random.between(5, 20));
      await expectStored(site, owner, goal - random.between(1, 4));
      await event();
      await expectStored(site, owner, goal);
      await expectTrueRows(tabs, site, owner);
      await logOut(random.pick(tabs));
    }
    for (const owner of people) {
      await signInWith(random.pick(tabs), owner.person);
      await sendFiles(tabs, site, owner);
      for (const tab of tabs) await finish(tab);
      await expectTrueRows(tabs, site, owner);
      await logOut(random.pick(tabs));
    }
    for (const { person, contents } of people) {
      const stored = (await storedFiles(site, person)).map((file) => `${file.original_name} ${file.sha256}`);
      expect(stored.toSorted()).toEqual([...contents].map(([name, digest]) => `${name} ${digest}`).toSorted());
    }
  });

interface Owner {
  readonly person: Person;
  readonly folder: string;
  /** The digest of each of their files, by name. */
  readonly contents: ReadonlyMap<string, string>;
}

/** Most uploads pass; some lose their response, and some break off midway. */
function loseSome(random: Seeded): () => Fault | undefined {
  return () => {
    const chance = random.next();
    if (chance < 0.3) return { kind: 'lost answer' };
    return chance < 0.35 ? { kind: 'cut', afterBytes: random.between(1, 1000) } : undefined;
  };
}

async function moveIn(disk: DiskFolder, random: Seeded, prefix: string, person: Person): Promise<Owner> {
  const contents = new Map<string, string>();
  for (let index = 0; index < filesEach; index += 1) {
    const name = `${prefix}-${index + 10}.txt`;
    const bytes = Buffer.from(`${person.email} ${name} `.repeat(random.pick([0, 1, 100, 20_000])));
    contents.set(name, createHash('sha256').update(bytes).digest('hex'));
    await disk.write(name, bytes);
  }
  return { person, folder: disk.path, contents };
}

function shuffled<T>(random: Seeded, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

async function signInWith(tab: Page, person: Person): Promise<void> {
  await tab.goto('/sign-in');
  await signIn(tab, person);
  await expect(pageHeading(tab)).toHaveText('Upload Files', { timeout: 30_000 });
}

/**
 * Sends the files that are not stored yet, like a user who checks the list first. Each file is sent from only one tab.
 */
async function sendFiles(tabs: readonly Page[], site: Site, { person, folder, contents }: Owner): Promise<void> {
  const stored = new Set(await storedNames(site, person));
  for (const [at, tab] of tabs.entries()) {
    await openQueueOf(tab, person);
    const queued = new Set(await namesIn(tab));
    const missing = [...contents.keys()].filter(
      (name, index) => index % tabs.length === at && !stored.has(name) && !queued.has(name),
    );
    await tab.getByLabel('Files to upload').setInputFiles(missing.map((name) => join(folder, name)));
    if (await tab.getByRole('button', { name: 'Upload Files' }).isEnabled()) await start(tab).click();
  }
}

/** Tabs notice each other's sign-in. A tab whose scripts are gone after an upgrade is reloaded. */
async function openQueueOf(tab: Page, person: Person): Promise<void> {
  const greeting = tab.getByText(`Welcome back ${person.email}`);
  await expect(async () => {
    if (!(await greeting.isVisible()) || (await pageHeading(tab).textContent()) !== 'Upload Files')
      await tab.goto('/dashboard');
    await expect(greeting).toBeVisible({ timeout: 2000 });
    await expect(pageHeading(tab)).toHaveText('Upload Files', { timeout: 2000 });
  }).toPass();
}

const rowsOf = (tab: Page) => tab.getByRole('list', { name: 'Upload queue' }).getByRole('listitem');
const namesIn = (tab: Page): Promise<string[]> => rowsOf(tab).locator('bdi').allTextContents();

/** Presses retry controls like a user until each row has its link. */
async function finish(tab: Page): Promise<void> {
  await expect(async () => {
    for (const name of ['Try now', 'Retry all', 'Upload Files']) {
      const button = tab.getByRole('main').getByRole('button', { name, exact: true });
      if ((await button.isVisible()) && (await button.isEnabled())) await button.click({ timeout: 1000 });
    }
    expect(await linksIn(tab)).toHaveLength(await rowsOf(tab).count());
  }).toPass({ timeout: 90_000 });
}

const linksIn = (tab: Page): Promise<{ name: string; link: string }[]> =>
  rowsOf(tab).evaluateAll((items) =>
    items.flatMap((item) => {
      const link = item.querySelector('a');
      return link ? [{ name: item.querySelector('bdi')?.textContent ?? '', link: link.href }] : [];
    }),
  );

/** Logs out. A page whose scripts are gone after an upgrade is reloaded and loses its state. */
async function logOut(tab: Page): Promise<void> {
  const soon = { timeout: 2000 };
  // Shown if the logout would stop an upload of this tab, as soon as the tab can ask.
  const stop = tab.getByRole('dialog').getByRole('button', { name: 'Log out' });
  await expect(async () => {
    if (!(await tab.getByRole('button', { name: 'Account menu' }).isVisible())) await tab.goto('/dashboard');
    if (await isSignedIn(tab)) {
      if (!(await stop.isVisible())) {
        await tab.getByRole('button', { name: 'Account menu' }).click(soon);
        await tab.getByRole('button', { name: 'Logout' }).click(soon);
      }
      await expect.poll(async () => (await stop.isVisible()) || !(await isSignedIn(tab)), soon).toBe(true);
      if (await stop.isVisible()) await stop.click(soon);
    }
    await expect.poll(() => isSignedIn(tab), soon).toBe(false);
  }).toPass();
}

const isSignedIn = async (tab: Page): Promise<boolean> =>
  (await tab.request.get(calls.getAccountInfo.path)).status() === 200;

const expectStored = (site: Site, { person }: Owner, count: number) =>
  expect.poll(async () => (await storedNames(site, person)).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);

/** Checks that every link in a row is that of this user's file with the row's name. */
async function expectTrueRows(tabs: readonly Page[], site: Site, { person, contents }: Owner): Promise<void> {
  const links = (await Promise.all(tabs.map(linksIn))).flat();
  const stored = new Map((await storedFiles(site, person)).map((file) => [file.name, file.original_name]));
  for (const { name, link } of links) {
    expect(contents.has(name), name).toBe(true);
    expect(stored.get(/\/file\/(\w+)/.exec(link)?.[1] ?? ''), link).toBe(name);
  }
}
