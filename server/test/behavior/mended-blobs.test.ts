/** An upload of bytes whose stored copy is missing or of the wrong size repairs it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { download, formWith, sendForm, sha256, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { type StoredBytes, onlyStored, resize, storedNames } from '../harness/stored-bytes.ts';

const alarms = ({ log }: TestServer) => log.filter((line) => line.includes('ALARM'));

const damages = {
  missing: (stored: StoredBytes) => stored.remove(),
  short: (stored: StoredBytes) => resize(stored, 999),
  'too long': (stored: StoredBytes) => resize(stored, 700_001),
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

test('of concurrent uploads of lost bytes one repairs them, and all are stored', async () => {
  await using server = await startServer();
  const bytes = new Uint8Array(randomBytes(300_000));
  const others = await Promise.all(Array.from({ length: 4 }, () => signUpAndIn(server)));
  const name = await uploadFile(server, others[0] as SignedIn, bytes);
  await (await onlyStored(server)).remove();
  const names = await Promise.all(
    others.flatMap((account) => [0, 1].map((at) => uploadFile(server, account, bytes, `${at}.txt`))),
  );
  const downloads = await Promise.all([name, ...names].map((each) => download(server, each)));
  expect(new Set(downloads)).toEqual(new Set([sha256(bytes)]));
  expect(await storedNames(server)).toHaveLength(1);
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
