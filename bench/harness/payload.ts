/** The bytes that are moved. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

export const MB = 1_000_000;
export const blockBytes = 1024 * 1024;

/**
 * A file that repeats one random block: nothing compresses or shares it, and who holds the block can check any part of
 * the file.
 */
export async function writePayload(path: string, size: number): Promise<string> {
  const block = randomBytes(blockBytes);
  await using file = await open(path, 'w');
  for (let written = 0; written < size; written += blockBytes)
    await file.write(block, 0, Math.min(blockBytes, size - written));
  return path;
}

/** Makes other bytes of a file, since equal ones would be stored once. Answers its digest. */
export async function makeNew(path: string): Promise<string> {
  {
    await using file = await open(path, 'r+');
    await file.write(randomBytes(32), 0, 32, 0);
  }
  return digestOf(createReadStream(path, { highWaterMark: blockBytes }));
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** Downloads what a link holds and insists that it is what was uploaded. */
export async function checkDownload(url: string, sha256: string): Promise<void> {
  const answer = await fetch(url);
  if (answer.status !== 200 || !answer.body) throw new Error(`${url} answered ${answer.status}`);
  const found = await digestOf(answer.body);
  if (found !== sha256) throw new Error(`${url} is ${found}, but ${sha256} was uploaded`);
}
