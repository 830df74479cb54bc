/** Files of one JSON value in each line, compressed, synced when they are written, and checked when they are read. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export interface WrittenLines {
  readonly rows: number;
  /** Of the file as it lies there. */
  readonly sha256: string;
}

/** When it resolves, the file survives the loss of power. */
export async function writeLines(path: string, pages: AsyncIterable<readonly unknown[]>): Promise<WrittenLines> {
  let rows = 0;
  async function* lines() {
    for await (const page of pages) {
      rows += page.length;
      yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  }
  const hash = createHash('sha256');
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), hashed, file);
  return { rows, sha256: hash.digest('hex') };
}

const valuesPerPage = 200;

export async function* readLines<T>(path: string): AsyncGenerator<readonly T[]> {
  const file = createReadStream(path);
  const text = file.pipe(createGunzip());
  file.once('error', (error) => text.destroy(error));
  let page: T[] = [];
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    page.push(JSON.parse(line) as T);
    if (page.length < valuesPerPage) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
