/** Test data of the transfers. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

export const MB = 1_000_000;
export const blockBytes = 1024 * 1024;

/**
 * Writes a file that repeats one random block: it cannot be compressed or shared, and with the block any part of the
 * file can be checked.
 */
export async function writePayload(path: string, size: number): Promise<string> {
  const block = randomBytes(blockBytes);
  await using file = await open(path, 'w');
  for (let written = 0; written < size; written += blockBytes)
    await file.write(block, 0, Math.min(blockBytes, size - written));
  return path;
}

/** Changes the bytes of a file, because equal files would be stored once. Returns its digest. */
export async function makeNew(path: string): Promise<string> {
  {
    await using file = await open(path, 'r+');
    await file.write(randomBytes(32), 0, 32, 0);
  }
  return digestOf(createReadStream(path, { highWaterMark: blockBytes }));
}

const tailBytes = 32;

/**
 * Writes a file like `writePayload`. Each call of the returned function changes its end and returns the new digest
 * without reading the file again, so that it takes no time from what is measured meanwhile.
 */
export async function writeChangingPayload(path: string, size: number): Promise<() => Promise<string>> {
  await writePayload(path, size);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: size - tailBytes - 1 })) hash.update(chunk);
  return async () => {
    const tail = randomBytes(tailBytes);
    await using file = await open(path, 'r+');
    await file.write(tail, 0, tailBytes, size - tailBytes);
    return hash.copy().update(tail).digest('hex');
  };
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** Downloads a link and throws unless the bytes are those that were uploaded. */
export async function checkDownload(url: string, sha256: string): Promise<void> {
  const answer = await fetch(url);
  if (answer.status !== 200 || !answer.body) throw new Error(`${url} answered ${answer.status}`);
  const found = await digestOf(answer.body);
  if (found !== sha256) throw new Error(`${url} is ${found}, but ${sha256} was uploaded`);
}
