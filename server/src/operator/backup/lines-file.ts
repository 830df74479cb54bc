/** Files with one JSON value per line: compressed, synced after writing, and verified on reading. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export interface WrittenLines {
  readonly rows: number;
  /** SHA-256 of the compressed file. */
  readonly sha256: string;
}

/** Writes and syncs the file: once it resolves, the file survives a power failure. */
export async function writeLines(path: string, pages: AsyncIterable<readonly unknown[]>): Promise<WrittenLines> {
  let rows = 0;
  async function* lines() {
    for await (const page of pages) {
      rows += page.length;
      yield page.map((row) => `${asOneLine(row)}\n`).join('');
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

/**
 * Escapes three characters that JSON leaves unescaped and that many line readers, `node:readline` among them, treat as
 * the end of a line.
 */
const asOneLine = (row: unknown): string =>
  JSON.stringify(row).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const valuesPerPage = 200;

/** The file is truncated, is not gzip, or contains a line that is not JSON. */
export class UnreadableLines extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
    this.name = 'UnreadableLines';
  }
}

/** @throws {UnreadableLines} */
export async function* readLines<T>(path: string): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const line of linesOf(path)) {
    page.push(parse(path, line) as T);
    if (page.length < valuesPerPage) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function parse(path: string, line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    throw new UnreadableLines(path, error);
  }
}

/** Splits only at `\n`: file names may contain every other character that looks like a line ending. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const unzipped = file.pipe(createGunzip());
  file.once('error', (error) => unzipped.destroy(error));
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let begun = '';
  try {
    for await (const chunk of unzipped) {
      const lines = (begun + text.decode(chunk as Buffer, { stream: true })).split('\n');
      begun = lines.pop() ?? '';
      yield* lines;
    }
    begun += text.decode();
  } catch (error) {
    throw new UnreadableLines(path, error);
  } finally {
    file.destroy();
  }
  if (begun !== '') throw new UnreadableLines(path, 'it ends in the middle of a line');
}

/**
 * Reads a file back and parses every line.
 * @throws {Error} when the content differs from what was written.
 */
export async function checkLines(path: string, written: WrittenLines): Promise<void> {
  let rows = 0;
  for await (const page of readLines(path)) rows += page.length;
  if (rows !== written.rows) throw new Error(`${path} has ${rows} rows instead of ${written.rows}.`);
  if ((await digestOfFile(path)) !== written.sha256) throw new Error(`${path} differs from what was written.`);
}

export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
