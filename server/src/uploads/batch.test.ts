import { Failure } from '@holdfast/contract/src/errors.ts';
import { mostInBatch } from '@holdfast/contract/src/upload-endpoints.ts';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Part } from '../http/multipart.ts';
import { readerOf } from '../lib/byte-reader.ts';
import { storeBatch } from './batch.ts';

const { signal: gone } = new AbortController();
const toLine = (error: unknown) => ({ success: false, error: String(error) });

async function* files(count: number, read = { parts: 0 }): AsyncGenerator<Part> {
  for (; read.parts < count; read.parts += 1) yield { name: 'file', filename: 'a.txt', body: readerOf([]) };
}

async function readAll(parts: AsyncIterable<Part>): Promise<object> {
  for await (const { body } of parts) while ((await body.read(new Uint8Array(9))) > 0);
  return {};
}

test('a batch has no more files than its limit, and those before it have their lines', async () => {
  const lines = new PassThrough();
  const written = text(lines);
  const batch = storeBatch(files(mostInBatch + 1), { store: readAll, toLine, lines, gone });
  await expect(batch).rejects.toThrow('Send 5,000 files at most in a batch.');
  lines.end();
  expect((await written).trim().split('\n')).toHaveLength(mostInBatch);
});

test('files that are not stored yet are few, however many follow', async () => {
  const read = { parts: 0 };
  const first = Promise.withResolvers<object>();
  let started = 0;
  const store = async (parts: AsyncIterable<Part>) => {
    await readAll(parts);
    started += 1;
    return first.promise;
  };
  const batch = storeBatch(files(100, read), { store, toLine, lines: new PassThrough().resume(), gone });
  await expect.poll(() => started).toBe(64);
  expect(read.parts).toBe(63);
  first.resolve({});
  await batch;
  expect(started).toBe(100);
});

test('a client that reads no lines stops the form', async () => {
  const read = { parts: 0 };
  const lines = new PassThrough();
  const store = async (parts: AsyncIterable<Part>) => ({
    ...(await readAll(parts)),
    url: 'x'.repeat(lines.writableHighWaterMark),
  });
  const batch = storeBatch(files(100, read), { store, toLine, lines, gone });
  await expect.poll(() => lines.writableNeedDrain).toBe(true);
  const before = read.parts;
  expect(before).toBeLessThan(70);
  lines.resume();
  await batch;
  expect(read.parts).toBe(100);
});

test('a refused file has its line, and too many digests before a file break the batch', async () => {
  const lines = new PassThrough();
  const written = text(lines);
  const store = async () => {
    throw new Failure('UPLOAD_TOO_LARGE', 'Too large.');
  };
  async function* parts(): AsyncGenerator<Part> {
    yield* files(1);
    for (let at = 0; at < 9; at += 1) yield { name: 'sha_256', filename: null, body: readerOf([]) };
  }
  await expect(storeBatch(parts(), { store, toLine, lines, gone })).rejects.toThrow('too many digests');
  lines.end();
  expect(JSON.parse(await written)).toEqual({ index: 0, success: false, error: 'Failure: Too large.' });
});
