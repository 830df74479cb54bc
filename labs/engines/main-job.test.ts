/** The main journey and the hostile files in other browser engines. The tests of an engine build on one another. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { hostileFiles } from '../../e2e/fixtures/hostile-files.ts';
import { openOtherSite } from '../../e2e/harness/other-site.ts';
import { serveToRun } from '../../e2e/harness/serve-to-run.ts';
import { type Site, startSite } from '../../e2e/harness/site.ts';
import type { Driver } from './driver.ts';
import { engines, whyNot } from './engines.ts';
import { type Person, personAt } from './person.ts';
import { expectUsablePlayer } from './player.ts';

const email = 'newcomer@example.com';
const password = 'Correct-Horse-7';

describe.for(engines)('$name', { timeout: 120_000 }, (engine) => {
  const missing = whyNot(engine);
  const opened = new AsyncDisposableStack();
  let site: Site;
  let driver: Driver;
  let person: Person;
  let folder: string;
  beforeAll(async () => {
    if (missing !== undefined) return;
    folder = await mkdtemp(join(tmpdir(), 'holdfast-engines-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    site = opened.use(await startSite());
    driver = opened.use(await engine.open());
    person = personAt(driver);
  });
  afterAll(() => opened.disposeAsync());
  beforeEach((context: TestContext) => {
    if (missing !== undefined) context.skip(missing);
  });

  test('a new user signs up with the code in an email', async () => {
    await person.open(site.url);
    await person.press('Start Free Upload');
    await person.arrivesAt('Sign Up');
    await person.fill('Email', email);
    await person.fill('Password', password);
    await person.fill('Confirm password', password);
    await person.press('Sign Up');
    await person.arrivesAt('Verify Email');
    await person.fill('Verification code', await site.newestCodeFor(email));
    await person.arrivesAt('Sign In');
    await person.fill('Password', password);
    await person.press('Sign In');
    await person.arrivesAt('Upload Files');
  });

  test('files from the disk are uploaded, displayed, played and deleted', async () => {
    const film = await promisify(gunzip)(await readFile(new URL('../../e2e/fixtures/clip.mp4.gz', import.meta.url)));
    await uploadFromDisk(person, folder, { 'notes.txt': 'hold fast', 'holiday.mp4': film, 'music.mp3': silence(10) });
    const links = await linksOfFiles(driver);
    const linkOf = (name: string) => links.get(name) ?? '';

    await person.open(linkOf('notes.txt'));
    await person.sees('hold fast');
    await person.open(linkOf('holiday.mp4'));
    await expectUsablePlayer(driver);
    await person.open(linkOf('music.mp3'));
    await expectUsablePlayer(driver);

    await person.open(`${site.url}/dashboard/file-management`);
    await person.press('Select notes.txt');
    await person.press('Delete Selected (1)');
    await person.sees('Deleted 1 file(s)');
    expect((await fetch(linkOf('notes.txt'))).status).toBe(404);
    expect([...(await linksOfFiles(driver)).keys()].toSorted()).toEqual(['holiday.mp4', 'music.mp3']);
  });

  test('each hostile file runs on a server without protection', async () => {
    await using careless = await openOtherSite();
    for (const { name, bytes, runs } of hostileFiles(`${careless.url}/told`)) {
      if (!runs) continue;
      await driver.open(serveToRun(careless, { name, bytes, runs }));
      await expect.poll(() => careless.told).toContain(`/told/${encodeURIComponent(name)}`);
    }
  });

  test('no hostile file runs, even as a page or a script under its policy', async () => {
    await using other = await openOtherSite();
    const files = hostileFiles(`${other.url}/told`);
    site.putOnPlan(email, 'starter');
    await person.open(`${site.url}/dashboard`);
    await uploadFromDisk(person, folder, Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])));
    const links = await linksOfFiles(driver);
    const linkOf = (name: string) => links.get(name) ?? '';
    const openQuietly = async (address: string) => {
      await driver.open(address);
      expect(await driver.title()).not.toContain('ran: ');
    };

    for (const { name, opens } of files) if (opens === 'inline') await openQuietly(linkOf(name));
    const frames = files.map(({ name }) => `<iframe src="${linkOf(name)}"></iframe>`);
    await openQuietly(other.put('/frames', 'text/html', frames.join('')));
    // A frame does not report when its download has finished, but the first byte counts as a hit.
    await expect.poll(() => unread(site), { timeout: 20_000 }).toEqual([]);
    for (const { name, bytes, runs } of files) {
      if (!runs) continue;
      const policy = (await fetch(linkOf(name))).headers.get('Content-Security-Policy') ?? '';
      await openQuietly(serveToRun(other, { name, bytes, runs }, policy));
    }
    expect(other.told).toEqual([]);
  });
});

async function uploadFromDisk(
  person: Person,
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const { driver } = person;
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const input = `document.querySelector('input[type=file]')`;
  await expect.poll(() => driver.evaluate(`${input} !== null`)).toBe(true);
  await driver.chooseFiles(input, paths);
  await person.press('Upload Files');
  // A long queue folds the rows that are done.
  await person.sees(`${paths.length} uploaded`);
}

/** The links of all files of the signed-in account, by file name. */
async function linksOfFiles(driver: Driver): Promise<ReadonlyMap<string, string>> {
  const entries = `fetch('/api/v3/rest/get-file-list?limit=500')
    .then((answer) => answer.json())
    .then(({ files }) => files.map((file) => [file.original_name, location.origin + '/file/' + file.name]))`;
  return new Map(await driver.evaluate<[string, string][]>(entries));
}

/** The names of files whose first byte was never delivered. */
function unread(site: Site): unknown[] {
  using database = site.openDatabase();
  return database.prepare('SELECT original_name FROM files WHERE hits = 0 AND deleted_at IS NULL').all();
}

/** MPEG frames, one channel, silent, at 128 kbit/s. */
function silence(seconds: number): Buffer<ArrayBuffer> {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xfffb90c0);
  return Buffer.concat(Array.from({ length: Math.round((seconds * 44_100) / 1152) }, () => frame));
}
