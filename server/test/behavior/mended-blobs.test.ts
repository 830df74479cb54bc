/** An upload of bytes whose stored copy is lost or damaged repairs it, or fails and leaves everything as it was. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StorageFull } from '../../src/engines/blobs/blobs.ts';
import { upload } from '../../src/uploads/upload.ts';
import { hours } from '../../src/lib/clock.ts';
import { stateOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { runTwice } from '../harness/before-transactions.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { killUpload } from '../harness/kill-upload.ts';
import { onePart } from '../harness/one-part.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { download, formWith, sendForm, sha256, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { type StoredBytes, ageBytes, flipByte, onlyStored, resize, storedNames } from '../harness/stored-bytes.ts';

const forgetNothing = { forget() {} };

const alarms = ({ log }: TestServer) => log.filter((line) => line.includes('ALARM'));

const damages = {
  missing: (stored: StoredBytes) => stored.remove(),
  short: (stored: StoredBytes) => resize(stored, 999),
  'too long': (stored: StoredBytes) => resize(stored, 700_001),
  changed: flipByte,
};

test.each(Object.keys(damages) as (keyof typeof damages)[])(
  'bytes that are %s are repaired for every file by an upload of the same bytes',
  async (kind) => {
    await using server = await startServer();
    const [one, other] = [await signUpAndIn(server), await signUpAndIn(server)];
    const bytes = new Uint8Array(randomBytes(1_000));
    const names = [await uploadFile(server, one, bytes)];
    await damages[kind](await onlyStored(server));
    // The damaged bytes may be in memory by now.
    await download(server, names[0] ?? '');
    const before = alarms(server).length;
    names.push(await uploadFile(server, other, bytes));
    for (const name of names) expect(await download(server, name)).toBe(sha256(bytes));
    expect(await storedNames(server)).toHaveLength(1);
    expect(alarms(server)).toHaveLength(before + 1);
  },
);

test('intact bytes are kept in place', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  for (const size of [0, 1, 1_000, 3_000_000]) {
    const bytes = new Uint8Array(randomBytes(size));
    await uploadFile(server, account, bytes, 'first.txt');
    const before = await versions(server);
    await uploadFile(server, account, bytes, 'second.txt');
    expect(await versions(server)).toEqual(before);
  }
  expect(alarms(server)).toEqual([]);
});

async function versions({ context: { blobs } }: TestServer): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of blobs.list()) {
    await using reader = await blobs.open(id, 0, 0);
    found.push(reader.version);
  }
  return found;
}

/** A file of an account whose bytes are lost, and another account that has them. */
async function openLoss(server: TestServer, bytes: Buffer) {
  const [victim, helper] = [await signUpAndIn(server), await signUpAndIn(server)];
  const name = await uploadFile(server, victim, new Uint8Array(bytes));
  await (await onlyStored(server)).remove();
  const states = async () => [await stateOf(server, victim), await stateOf(server, helper)];
  return { helper, name, states, before: await states() };
}

async function sweepEverything(server: TestServer): Promise<unknown> {
  await ageBytes(server, hours(25));
  server.clock.advance(hours(25));
  return server.runJob('sweep-strays');
}

test('an upload that would repair a blob on a full disk is refused, and leaves nothing', async () => {
  await using server = await startServer();
  const bytes = randomBytes(1_000);
  const { helper, name, states, before } = await openLoss(server, bytes);
  // Simulates a full disk, without space for the folder that the bytes would be moved to.
  const blobs = { ...server.context.blobs, replace: () => Promise.reject(new StorageFull('no space left')) };
  const sending = upload({ ...server.context, blobs }, forgetNothing, await keyCaller(server, helper), onePart(bytes));
  await expect(sending).rejects.toMatchObject({ code: 'UPLOAD_STORAGE_FULL' });
  expect(await states()).toEqual(before);
  expect(await storedNames(server)).toEqual([]);
  expect(await sweepEverything(server)).toEqual({ strays: 0, bytes: 0 });
  expect(await download(server, name)).toBe(500);
  const again = await uploadFile(server, helper, new Uint8Array(bytes));
  expect(await download(server, name)).toBe(sha256(bytes));
  expect(await download(server, again)).toBe(sha256(bytes));
});

test('an upload that fails after a repair leaves only the repaired bytes', async () => {
  await using server = await startServer();
  const bytes = randomBytes(1_000);
  const { helper, name, states, before } = await openLoss(server, bytes);
  const broken = new Error('the folder could not be synced');
  const { blobs: real } = server.context;
  const blobs: typeof real = {
    ...real,
    async replace(...parts) {
      await real.replace(...parts);
      throw broken;
    },
  };
  const sending = upload({ ...server.context, blobs }, forgetNothing, await keyCaller(server, helper), onePart(bytes));
  await expect(sending).rejects.toBe(broken);
  expect(await states()).toEqual(before);
  expect(await download(server, name)).toBe(sha256(bytes));
  expect(await storedNames(server)).toHaveLength(1);
  expect(await sweepEverything(server)).toEqual({ strays: 0, bytes: 0 });
});

test('a process killed between a repair and its commit leaves only the repaired bytes', async () => {
  await using server = await startServer();
  const bytes = Buffer.alloc(2_000, 'x');
  const { helper, name, states, before } = await openLoss(server, bytes);
  await killUpload(server, helper, bytes.length);
  expect(await states()).toEqual(before);
  expect(await download(server, name)).toBe(sha256(bytes));
  expect(await storedNames(server)).toHaveLength(1);
  expect(await sweepEverything(server)).toEqual({ strays: 0, bytes: 0 });
});

test('an upload keeps its bytes if the blob that it repairs is purged before its retry', async () => {
  await using server = await startServer();
  const { context, memory } = server;
  const bytes = Buffer.alloc(2_000, 'x');
  const owner = await signUpAndIn(server);
  const lost = await uploadFile(server, owner, new Uint8Array(bytes));
  await (await onlyStored(server)).remove();
  const helper = await signUpAndIn(server);
  const db = runTwice(context.db, async () => {
    await owner.byKey.deleteFiles({ body: { files: [lost] } });
    await context.db.deleteFrom('blobs').execute();
  });
  const sending = upload({ ...context, db }, memory, await keyCaller(server, helper), onePart(bytes));
  const { url } = await sending;
  expect(await download(server, storedNameOf(url))).toBe(sha256(bytes));
  expect(await storedNames(server)).toHaveLength(1);
});

test('of concurrent uploads of lost bytes one repairs them, and all are stored', async () => {
  await using server = await startServer();
  const bytes = new Uint8Array(randomBytes(300_000));
  const { helper, name } = await openLoss(server, Buffer.from(bytes));
  const others = [helper, ...(await Promise.all(Array.from({ length: 3 }, () => signUpAndIn(server))))];
  const names = await Promise.all(
    others.flatMap((account) => [0, 1].map((at) => uploadFile(server, account, bytes, `${at}.txt`))),
  );
  const downloads = await Promise.all([name, ...names].map((each) => download(server, each)));
  expect(new Set(downloads)).toEqual(new Set([sha256(bytes)]));
  expect(await storedNames(server)).toHaveLength(1);
  expect(alarms(server)).toHaveLength(1);
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'repairing a blob needs disk space for one copy, not two (mounting a small disk needs root)',
  async () => {
    await using disk = await mountSmallDisk('12m');
    await using server = await startServer({ BLOBS_URL: `file:${disk.folder}` });
    const [one, other] = [await signUpAndIn(server, { plan: 'power' }), await signUpAndIn(server, { plan: 'power' })];
    const bytes = new Uint8Array(randomBytes(8_000_000));
    const send = (account: SignedIn) => sendForm(server, account, formWith(bytes));
    const first = await send(one);
    expect(first.status).toBe(200);
    expect(await send(other)).toMatchObject({ status: 507 });
    await (await onlyStored(server)).remove();
    const second = await send(other);
    expect(second.status).toBe(200);
    for (const { url } of [first, second]) expect(await download(server, storedNameOf(url))).toBe(sha256(bytes));
    expect(await storedNames(server)).toHaveLength(1);
    expect(await stateOf(server, other)).toMatchObject({ space_used: bytes.length, slots_used: 1 });
  },
);

async function mountSmallDisk(size: string) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  return {
    folder,
    async [Symbol.asyncDispose]() {
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
