/** RFC 7578, and RFC 2046 section 5.1. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ByteReader } from '../lib/byte-reader.ts';
import { readPartHeaders } from './part-headers.ts';
import { decodeTransfer } from './transfer-encoding.ts';

export interface Part {
  readonly name: string;
  readonly filename: string | null;
  readonly body: ByteReader;
}

export const isFilePart = ({ name, filename }: Pick<Part, 'name' | 'filename'>): boolean =>
  filename !== null && name === 'file';

export const howToUpload =
  "Send the file by POST as multipart/form-data, in a form field named 'file': curl -H 'X-API-Key: …' -F file=@FILE …";

const maxHeaderBytes = 16 * 1024;
const maxParts = 32;
const maxOtherBytes = 64 * 1024;

/** The bounds of a form grow with `mostFiles`, which the caller counts. */
export async function* readParts(
  request: IncomingMessage,
  { isFile = isFilePart, mostFiles = 1 } = {},
): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\n--${boundaryOf(request.headers['content-type'])}`, 'latin1');
  await using input = openInput(request, maxOtherBytes * mostFiles);
  await skip(openBody(input, delimiter));
  for (let count = 0; await anotherPart(input); count += 1) {
    if (count === maxParts * mostFiles) throw new Failure('UPLOAD_INVALID', 'The upload form has too many parts.');
    const { transferEncoding, ...part } = readPartHeaders(await readHeaders(input));
    const body = openBody(input, delimiter, isFile(part));
    yield { ...part, body: decodeTransfer(transferEncoding, body) };
    await skip(body);
  }
  while (await input.more()) input.held = Buffer.alloc(0);
}

const maxFieldBytes = 1024;

export async function readField({ body }: Part): Promise<string> {
  const text = Buffer.alloc(maxFieldBytes + 1);
  let length = 0;
  for (let count; (count = await body.read(text.subarray(length))) > 0;) {
    length += count;
    if (length > maxFieldBytes) throw new Failure('UPLOAD_INVALID', 'A field of the form is too long.');
  }
  return text.toString('utf8', 0, length);
}

async function skip(body: ByteReader): Promise<void> {
  const into = Buffer.allocUnsafe(4096);
  while ((await body.read(into)) > 0);
}

export function refuseUnlessForm(contentType = ''): void {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) throw new Failure('UNSUPPORTED_MEDIA_TYPE', howToUpload);
}

function boundaryOf(contentType: string | undefined): string {
  refuseUnlessForm(contentType);
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw new Failure('UPLOAD_INVALID', 'The multipart form has no boundary in its Content-Type.');
  if (boundary.length > 70) throw new Failure('UPLOAD_INVALID', 'The multipart boundary is longer than 70 characters.');
  return boundary;
}

interface Input extends AsyncDisposable {
  held: Buffer;
  ofFile: number;
  /** Returns false at the end of the body. */
  more(): Promise<boolean>;
}

function openInput(request: IncomingMessage, mostOther: number): Input {
  const chunks = readChunks(request);
  let received = 0;
  let chunk: Buffer | null = null;
  return {
    // Without a preamble, the first boundary has no line break before it.
    held: Buffer.from('\r\n'),
    ofFile: 0,
    async more() {
      if (received - this.held.length - this.ofFile > mostOther) throw tooMuchBesideTheFile();
      const { value: next } = await chunks.next();
      if (!next) return false;
      received += next.length;
      if (this.held.length > 0) this.held = Buffer.concat([this.held, next]);
      else {
        this.held = next;
        if (chunk) freeChunk(chunk);
      }
      chunk = next;
      return true;
    },
    [Symbol.asyncDispose]: () => chunks[Symbol.asyncDispose](),
  };
}

/** The system hands over up to 2 MB of each connection in a row, while every other request waits. */
const mostInTurn = 256 * 1024;
/** Each chunk costs as much work as so many bytes. */
const bytesOfChunk = 1024;

/**
 * The async iterator of a stream costs several times as much for each chunk.
 * @throws {Failure} UPLOAD_INTERRUPTED when the body ends too early.
 */
export async function* readChunks(request: IncomingMessage): AsyncGenerator<Buffer, undefined> {
  const unread: Buffer[] = [];
  let end = null as { readonly error: unknown } | null;
  let wake: (() => void) | null = null;
  let inTurn = 0;
  const onData = (chunk: Buffer) => {
    unread.push(chunk);
    inTurn += Math.max(chunk.length, bytesOfChunk);
    if (!wake) request.pause();
    wake?.();
    wake = null;
  };
  const stopWatching = finished(request, { writable: false }, (error) => {
    end = { error };
    wake?.();
  });
  request.on('data', onData);
  try {
    for (;;) {
      if (inTurn > mostInTurn) {
        await nextTurn();
        inTurn = 0;
      }
      if (unread.length === 0 && !end) {
        const woken = new Promise<void>((resolve) => (wake = resolve));
        request.resume();
        await woken;
      }
      const chunk = unread.shift();
      if (chunk) yield chunk;
      else if (end?.error) throw new Failure('UPLOAD_INTERRUPTED', undefined, { cause: end.error });
      else return;
    }
  } finally {
    request.pause().off('data', onData);
    stopWatching();
  }
}

/** If the chunks of a fast upload were left to the garbage collector, it would walk the whole heap every 20 MB. */
export function freeChunk({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/**
 * Reads everything before the next delimiter, which it consumes with the CR before it, before it returns 0. A delimiter
 * without the CR is refused: its sender may mean it, and then the rest of the form would be stored as the file.
 */
function openBody(input: Input, delimiter: Buffer, isFile = false): ByteReader {
  let ended = false;
  return {
    async read(into) {
      while (!ended) {
        const at = input.held.indexOf(delimiter);
        const end = at === -1 ? delimiterStart(input.held, delimiter) : at - 1;
        if (at !== -1 && input.held[end] !== cr) throw bareLineFeed();
        const count = input.held.copy(into, 0, 0, end);
        if (isFile) input.ofFile += count;
        input.held = input.held.subarray(count);
        if (count > 0) return count;
        if (at !== -1) {
          input.held = input.held.subarray(1 + delimiter.length);
          ended = true;
        } else if (!(await input.more())) throw endedEarly();
      }
      return 0;
    },
  };
}

const cr = 0x0d;
const lf = 0x0a;

/** Returns where a delimiter, or the CR before it, may start that the next chunk continues. */
function delimiterStart(chunk: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, chunk.length - delimiter.length + 1);
  for (let at = chunk.indexOf(lf, from); at !== -1; at = chunk.indexOf(lf, at + 1))
    if (chunk.compare(delimiter, 0, chunk.length - at, at) === 0) return chunk[at - 1] === cr ? at - 1 : at;
  return chunk.at(-1) === cr ? chunk.length - 1 : chunk.length;
}

async function anotherPart(input: Input): Promise<boolean> {
  while (input.held.length < 2) if (!(await input.more())) throw endedEarly();
  if (input.held[0] === 0x2d && input.held[1] === 0x2d) {
    input.held = Buffer.alloc(0);
    return false;
  }
  const line = await readThrough(input, '\r\n', 256);
  if (line.toString('latin1').trim() !== '')
    throw new Failure('UPLOAD_INVALID', 'The multipart form has a broken boundary.');
  return true;
}

async function readHeaders(input: Input): Promise<Buffer> {
  while (input.held.length < 2) if (!(await input.more())) throw endedEarly();
  if (input.held[0] === cr && input.held[1] === lf) {
    input.held = input.held.subarray(2);
    return Buffer.alloc(0);
  }
  return readThrough(input, '\r\n\r\n', maxHeaderBytes);
}

/** The bytes are those of the chunk, which the next one may free. */
async function readThrough(input: Input, mark: string, limit: number): Promise<Buffer> {
  for (;;) {
    const at = input.held.indexOf(mark);
    const read = input.held.subarray(0, at === -1 ? limit : Math.min(at, limit));
    if (/(?<!\r)\n/.test(read.toString('latin1'))) throw bareLineFeed();
    if (at > limit || (at === -1 && input.held.length > limit))
      throw new Failure('UPLOAD_INVALID', 'A part of the form has too long a header.');
    if (at !== -1) {
      const bytes = input.held.subarray(0, at);
      input.held = input.held.subarray(at + mark.length);
      return bytes;
    }
    if (!(await input.more())) throw endedEarly();
  }
}

const tooMuchBesideTheFile = () =>
  new Failure('UPLOAD_INVALID', 'The form has more than 64 KB beside the file. Send only the fields of this call.');

const bareLineFeed = () =>
  new Failure('UPLOAD_INVALID', 'The lines of the form end in LF alone. End each of them in CR LF.');

const endedEarly = () =>
  new Failure(
    'UPLOAD_INTERRUPTED',
    'The upload ended before the closing boundary that its Content-Type names. Try again.',
  );
