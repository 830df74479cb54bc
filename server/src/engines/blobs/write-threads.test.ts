import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BlobsUnavailable } from './blobs.ts';
import { openWriteThreads } from './write-threads.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface TestFile extends AsyncDisposable {
  readonly file: FileHandle;
  readonly bytes: () => Promise<Buffer>;
}

async function openFile(flags = 'wx'): Promise<TestFile> {
  const path = join(tmpdir(), `holdfast-thread-${randomUUID()}`);
  if (flags === 'r') await (await open(path, 'wx')).close();
  const file = await open(path, flags);
  return {
    file,
    bytes: () => readFile(path),
    async [Symbol.asyncDispose]() {
      await file.close();
      await rm(path);
    },
  };
}

function slabOf(bytes: Buffer, size = bytes.length): ArrayBuffer {
  const slab = new ArrayBuffer(size);
  Buffer.from(slab).set(bytes);
  return slab;
}

test('concurrent writes do not mix, with one thread or three', async () => {
  for (const most of [1, 3]) {
    await using threads = openWriteThreads(most);
    await using files = new AsyncDisposableStack();
    const all = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { file, bytes } = files.use(await openFile());
        return { bytes, write: threads.start(file.fd), pieces: Array.from({ length: 5 }, () => randomBytes(10_000)) };
      }),
    );
    for (let at = 0; at < 5; at += 1)
      await Promise.all(all.map(({ write, pieces }) => write.append(slabOf(pieces[at] ?? Buffer.of()), 10_000)));
    for (const { bytes, write, pieces } of all) {
      expect(await write.digest()).toBe(sha256(Buffer.concat(pieces)));
      expect((await bytes()).equals(Buffer.concat(pieces))).toBe(true);
    }
  }
});

test('a slab comes back, and only its first bytes are written', async () => {
  await using threads = openWriteThreads(1);
  await using target = await openFile();
  using write = threads.start(target.file.fd);
  const slab = slabOf(Buffer.from('hello'), 100);
  const appending = write.append(slab, 5);
  expect(slab.byteLength).toBe(0);
  expect((await appending).byteLength).toBe(100);
  expect((await target.bytes()).toString()).toBe('hello');
  expect(await write.digest()).toBe(sha256(Buffer.from('hello')));
});

test('an error of the file system keeps its code, and the thread lives on', async () => {
  await using threads = openWriteThreads(1);
  await using readOnly = await openFile('r');
  await using target = await openFile();
  using refused = threads.start(readOnly.file.fd);
  await expect(refused.append(slabOf(Buffer.from('a')), 1)).rejects.toMatchObject({ code: 'EBADF' });
  using write = threads.start(target.file.fd);
  await write.append(slabOf(Buffer.from('a')), 1);
  expect(await write.digest()).toBe(sha256(Buffer.from('a')));
});

test.skipIf(process.platform !== 'linux')('a full disk is known by the code of its error', async () => {
  await using threads = openWriteThreads(1);
  await using full = await open('/dev/full', 'w');
  using write = threads.start(full.fd);
  await expect(write.append(slabOf(Buffer.from('a')), 1)).rejects.toMatchObject({ code: 'ENOSPC' });
});

test('a thread is started while all others are busy; at the limit the least busy is used', async () => {
  const sayWho = program(`port.on('message', () => port.postMessage({ sha256: String(threadId) }))`);
  await using threads = openWriteThreads(2, sayWho);
  const start = async () => {
    const write = threads.start(1);
    return { write, thread: await write.digest() };
  };
  const writes = [await start(), await start(), await start()];
  const [first, second, third] = writes.map(({ thread }) => thread);
  expect(second).not.toBe(first);
  expect([first, second]).toContain(third);
  for (const { write, thread } of writes) if (thread === third) write[Symbol.dispose]();
  expect((await start()).thread).toBe(third);
});

/** Of each thread of this process, by its id. */
async function niceValues(): Promise<Map<string, number>> {
  const values = new Map<string, number>();
  for (const id of await readdir('/proc/self/task')) {
    const stat = await readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '');
    // The name of a thread, in parentheses, may contain spaces. The value is the 17th after it (proc_pid_stat(5)).
    values.set(id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
  }
  return values;
}

test.runIf(process.platform === 'linux')('a thread that hashes gives way to all others', async () => {
  const before = await niceValues();
  await using threads = openWriteThreads(1);
  await using target = await openFile();
  using write = threads.start(target.file.fd);
  await write.append(slabOf(randomBytes(10)), 10);
  const started = [...(await niceValues())].filter(([id]) => !before.has(id)).map(([, nice]) => nice);
  expect(started).toContain(Math.max(getPriority(), 10));
});

test('when a thread ends, its writes fail and the next write gets another thread', async () => {
  const dies = program(`
    port.on('message', (piece) => { if (!piece) throw new Error('out of order'); port.postMessage({}); });
  `);
  await using threads = openWriteThreads(1, dies);
  const [first, second] = [threads.start(1), threads.start(1)];
  await first.append(new ArrayBuffer(1), 1);
  const failed = await first.digest().catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(BlobsUnavailable);
  expect(failed).toMatchObject({ cause: { message: 'out of order' } });
  await expect(second.append(new ArrayBuffer(1), 1)).rejects.toBe(failed);
  await expect(threads.start(1).append(new ArrayBuffer(1), 1)).resolves.toBeInstanceOf(ArrayBuffer);
});

function program(onPort: string): URL {
  const code = `import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', ({ port }) => { ${onPort} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

test('a thread that ends leaves the descriptors alone that it has handed over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-placed-'));
  const [tempPath, path] = [join(folder, 'temp'), join(folder, 'file')];
  try {
    const threads = openWriteThreads(1);
    const { fd, folderFd } = await threads.place({ tempPath, path, folder }, slabOf(Buffer.from('hello')), 5);
    for (const descriptor of [fd, folderFd]) closeSync(descriptor);
    // The system gives the next files the same numbers.
    const next = [fd, folderFd].map(() => openSync(path, 'r'));
    expect(new Set(next)).toEqual(new Set([fd, folderFd]));
    await threads[Symbol.asyncDispose]();
    for (const descriptor of next) {
      expect(fstatSync(descriptor).size).toBe(5);
      closeSync(descriptor);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
