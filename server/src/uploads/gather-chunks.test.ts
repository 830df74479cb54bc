import { expect, test } from 'vitest';
import { gather } from './gather-chunks.ts';

const slab = () => Buffer.alloc(10);

/** A chunk with its own memory, as a socket produces them. */
const chunkOf = (text: string) => Buffer.from(new TextEncoder().encode(text).slice().buffer);

async function* from(chunks: readonly Buffer[]) {
  yield* chunks;
}

test.each([
  [['']],
  [['a']],
  [['0123456789']],
  [['0123456789', 'a']],
  [['012345678', '9ab', '', 'cdefghij', 'klmnopqrstuvwxyz0123456789', 'end']],
])('the chunks %j are gathered into full slabs and a rest', async (texts) => {
  const gathering = gather(from(texts.map(chunkOf)));
  const slabs: string[] = [];
  for (let ended = false; !ended;) {
    const { bytes, last } = await gathering.fill(slab());
    slabs.push(bytes.toString());
    ended = last;
  }
  expect(slabs.join('')).toBe(texts.join(''));
  expect(slabs.slice(0, -1).every((text) => text.length === 10)).toBe(true);
});

test('a slab that fills slowly is handed on before it is full', async () => {
  const gathering = gather(from(['abc', 'def'].map(chunkOf)), 0);
  expect((await gathering.fill(slab())).bytes.toString()).toBe('abc');
  expect((await gathering.fill(slab())).bytes.toString()).toBe('def');
  expect(await gathering.fill(slab())).toMatchObject({ bytes: { length: 0 }, last: true });
});

test('the memory of a copied chunk is freed, except memory that others share', async () => {
  const [own, whole] = [chunkOf('abcde'), chunkOf('fghij')];
  await gather(from([own, whole.subarray(0, 3)])).fill(slab());
  expect(own.buffer.byteLength).toBe(0);
  expect(whole.toString()).toBe('fghij');
});

test('a failing source fails the fill', async () => {
  const broken = new Error('the client went away');
  async function* source() {
    yield chunkOf('abc');
    throw broken;
  }
  await expect(gather(source()).fill(slab())).rejects.toBe(broken);
});

test('stopping ends the source', async () => {
  const ended = Promise.withResolvers<string>();
  async function* source() {
    try {
      for (;;) yield chunkOf('abc');
    } finally {
      ended.resolve('let go');
    }
  }
  const gathering = gather(source());
  await gathering.fill(slab());
  gathering.stop();
  expect(await ended.promise).toBe('let go');
});
