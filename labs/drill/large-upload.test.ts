/** A file of a gigabyte from the browser, over a line that breaks ten times, to a server that is killed twice. */
import { ListObjectsV2Command, ListPartsCommand, S3Client } from '@aws-sdk/client-s3';
import { tusPath } from '@holdfast/contract/src/resumable.ts';
import { openBrowser } from '@holdfast/test-support/open-browser.ts';
import { newAccountRows } from '@holdfast/test-support/account-rows.ts';
import { createCipheriv, createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../server/src/config/config.ts';
import { newTestPlace } from '../../server/test/harness/new-place.ts';
import { type Place, withContext } from '../../server/test/harness/place.ts';
import { type Service, startService } from '../../server/test/harness/real-process.ts';
import { createRandom } from '../fuzz/mutate.ts';
import { openBreakingLine } from '../load/breaking-line.ts';

const size = Number(process.env['UPLOAD_BYTES'] ?? 1_000_000_000);
const seed = Number(process.env['SEED'] ?? 1);
/** Each breaks the line. */
const events = [
  'cut',
  'cut',
  'kill',
  'cut',
  'cut',
  'reload',
  'cut',
  'cut',
  'cut',
  'kill',
  'cut',
  'cut',
  'cut',
] as const;
/** Most memory of the process above its idle memory, whatever the size of the file. */
const mostMemory = 200_000_000;

test('a large upload survives cuts, kills and a reload', { timeout: 1_800_000 }, async () => {
  const random = createRandom(seed);
  // In memory nothing waits for a disk.
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-large-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'reef.zip');
  const digest = await writeRandom(path);
  const place = await newTestPlace(folder);
  await using line = await openBreakingLine(place.port);
  const site = { host: `127.0.0.1:${line.port}`, url: `http://127.0.0.1:${line.port}` };
  const startServer = () => startService(place, { PUBLIC_URL: site.url });
  let server = await startServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { apiKey, sessionToken } = await addUser(place);
  const began = performance.now();
  const idle = await memoryOf(server, 'VmRSS');
  const figures: Record<string, unknown>[] = [];

  await using browser = await openBrowser();
  const context = await browser.newContext({ baseURL: site.url });
  const name = `holdfast-session-${line.port}`;
  await context.addCookies([{ name, value: sessionToken, url: site.url, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/dashboard');
  await page.getByLabel('Files to upload').setInputFiles(path);
  await page.getByRole('main').getByRole('button', { name: 'Upload Files' }).click();

  let offset = 0;
  let peak = 0;
  let killed = '';
  for (const [at, event] of events.entries()) {
    const each = (size - offset) / (events.length - at + 1);
    await line.breakAfter(Math.round(each * (0.2 + 0.8 * random())));
    peak = Math.max(peak, await memoryOf(server, 'VmHWM'));
    if (event === 'kill') {
      await server.kill();
      server = await startServer();
    }
    const before = offset;
    await expect
      .poll(
        async () => {
          const upload = await uploadOf(place);
          ({ offset } = await head(place, site.host, `${tusPath}/${upload.id}`, apiKey));
          const found = await bytesStored(place, upload, path);
          if (event === 'kill') killed = upload.place;
          // A process that was killed may have written more than it could tell.
          return upload.place === killed ? found >= offset : found === offset;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    expect(offset).toBeGreaterThanOrEqual(before);
    figures.push({ event, offset, peak });
    line.mend();
    if (event === 'reload') {
      await page.reload();
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Continue reef.zip' }).click();
      await (await choosing).setFiles(path);
    }
  }
  const link = page.getByRole('list', { name: 'Upload queue' }).getByRole('link');
  await link.waitFor({ timeout: 300_000 });
  const seconds = (performance.now() - began) / 1000;
  const stored = new URL((await link.getAttribute('href')) ?? '');
  expect(await digestOf(place, site.host, stored.pathname)).toBe(digest);
  peak = Math.max(peak, await memoryOf(server, 'VmHWM'));
  console.log(JSON.stringify({ size, seed, seconds, idle, peak, figures }));
  expect(peak - idle).toBeLessThan(mostMemory);
});

/** The same bytes for the same seed. Returns their digest. */
async function writeRandom(path: string): Promise<string> {
  await using file = await open(path, 'w');
  const stream = createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16));
  const digest = createHash('sha256');
  const zeros = Buffer.alloc(8_000_000);
  for (let left = size; left > 0; left -= zeros.length) {
    const bytes = stream.update(zeros.subarray(0, left));
    digest.update(bytes);
    await file.write(bytes);
  }
  return digest.digest('hex');
}

const addUser = (place: Place) =>
  withContext(place, async ({ db, secret }) => {
    const user = {
      email: 'ada@example.com',
      password: 'Correct-Horse-7',
      plan: 'power',
      now: Date.now(),
      secret,
    } as const;
    const { account, session, ...rest } = await newAccountRows(user);
    await db.insertInto('accounts').values(account).execute();
    await db.insertInto('sessions').values(session).execute();
    return rest;
  });

async function memoryOf({ pid }: Service, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const [, kilobytes] = new RegExp(`${what}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const uploadOf = (place: Place) =>
  withContext(place, ({ db }) => db.selectFrom('uploads').selectAll().executeTakeFirstOrThrow());
type Upload = Awaited<ReturnType<typeof uploadOf>>;

/** Directly, while the line is broken. */
const head = async ({ port }: Place, host: string, path: string, apiKey: string) => {
  const answer = await request({ port, host, path, method: 'HEAD', apiKey });
  answer.resume();
  expect(answer.statusCode).toBe(200);
  return { offset: Number(answer.headers['upload-offset']) };
};

async function digestOf({ port }: Place, host: string, path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const bytes of await request({ port, host, path, method: 'GET' })) digest.update(bytes as Buffer);
  return digest.digest('hex');
}

interface Request {
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly method: 'GET' | 'HEAD';
  readonly apiKey?: string;
}

const request = ({ port, host, path, method, apiKey = '' }: Request) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Host: host, 'Tus-Resumable': '1.0.0', ...(apiKey !== '' && { 'X-API-Key': apiKey }) };
    get({ port, path, method, headers, agent: false }, resolve).on('error', reject);
  });

/** Bytes of the upload in the storage, the last of which are those of the file. */
async function bytesStored(place: Place, upload: Upload, path: string): Promise<number> {
  const { blobs } = readConfig(place.environment);
  return blobs.engine === 'disk' ? bytesOnDisk(place, upload, path) : bytesInStore(blobs, upload);
}

async function bytesOnDisk({ dataDir }: Place, { blob_id: id, place, stored }: Upload, path: string): Promise<number> {
  if (stored === 0) return 0;
  await using written = await open(join(dataDir, 'blobs', 'tmp', `${id}.${place}`));
  await using original = await open(path);
  const from = Math.max(0, stored - 65_536);
  const [ours, theirs] = [Buffer.alloc(stored - from), Buffer.alloc(stored - from)];
  await written.read(ours, 0, ours.length, from);
  await original.read(theirs, 0, theirs.length, from);
  expect(ours.equals(theirs)).toBe(true);
  return (await written.stat()).size;
}

async function bytesInStore(
  { bucket: Bucket, prefix, endpoint, region }: Extract<ReturnType<typeof readConfig>['blobs'], { engine: 's3' }>,
  { blob_id: id, place, stored }: Upload,
): Promise<number> {
  const [UploadId] = JSON.parse(place) as [string];
  const client = new S3Client({ region, forcePathStyle: true, ...(endpoint !== null && { endpoint }) });
  try {
    const { Parts = [] } = await client.send(new ListPartsCommand({ Bucket, Key: `${prefix}blobs/${id}`, UploadId }));
    const tail = `${prefix}tails/${id}-${stored}`;
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: tail }));
    return [...Parts, ...Contents].reduce((sum, { Size = 0 }) => sum + Size, 0);
  } finally {
    client.destroy();
  }
}
