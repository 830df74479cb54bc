import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDigestWorkers } from './digest-workers.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function shared(bytes: Buffer): Buffer {
  const copy = Buffer.from(new SharedArrayBuffer(bytes.length));
  bytes.copy(copy);
  return copy;
}

test('concurrent digests do not mix, with one thread or three', async () => {
  for (const threads of [1, 3]) {
    await using workers = openDigestWorkers(threads);
    const pieces = Array.from({ length: 20 }, () => Array.from({ length: 5 }, () => randomBytes(10_000)));
    const digests = pieces.map(() => workers.start());
    for (let at = 0; at < 5; at += 1)
      await Promise.all(digests.map((digest, index) => digest.add(shared(pieces[index]?.[at] ?? Buffer.alloc(0)))));
    expect(await Promise.all(digests.map((digest) => digest.result()))).toEqual(
      pieces.map((all) => sha256(Buffer.concat(all))),
    );
  }
});

test('a thread is started while all others are busy; at the limit the least busy is used', async () => {
  const sayWho = program(`port.on('message', () => port.postMessage(String(threadId)))`);
  await using workers = openDigestWorkers(2, sayWho);
  const start = async () => {
    const digest = workers.start();
    return { digest, thread: await digest.result() };
  };
  const digests = [await start(), await start(), await start()];
  const [first, second, third] = digests.map(({ thread }) => thread);
  expect(second).not.toBe(first);
  expect([first, second]).toContain(third);
  for (const { digest, thread } of digests) if (thread === third) digest[Symbol.dispose]();
  expect((await start()).thread).toBe(third);
});

test('a canceled digest rejects for its caller', async () => {
  await using workers = openDigestWorkers(1, program(''));
  const digest = workers.start();
  const waiting = digest.add(shared(Buffer.from('a')));
  digest[Symbol.dispose]();
  await expect(waiting).rejects.toThrow('canceled');
});

test('when a thread ends, its digests fail and the next digest gets another thread', async () => {
  await using workers = openDigestWorkers(
    1,
    program(`port.on('message', (bytes) => { if (!bytes) throw new Error('out of order'); port.postMessage(''); })`),
  );
  const [first, second] = [workers.start(), workers.start()];
  await first.add(shared(Buffer.from('a')));
  const failed = { message: 'A digest worker thread has ended', cause: { message: 'out of order' } };
  await expect(first.result()).rejects.toMatchObject(failed);
  await expect(second.add(shared(Buffer.from('a')))).rejects.toMatchObject(failed);
  await expect(workers.start().add(shared(Buffer.from('a')))).resolves.toBe('');
});

function program(onPort: string): URL {
  const code = `import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', (port) => { ${onPort} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
