/**
 * Reads a multipart/form-data body as parts, on demand: it buffers only the current chunk, and a reader that pauses
 * pauses the client (RFC 7578, RFC 2046 section 5.1). The next part begins when the body of the previous one has been
 * read, or is skipped by requesting the next.
 */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { parse as parseDisposition } from 'content-disposition';
import type { IncomingMessage } from 'node:http';

export interface Part {
  readonly name: string;
  /** Null for a plain field. */
  readonly filename: string | null;
  /** The reader owns the chunks: it may keep them or take them apart. */
  readonly body: AsyncIterable<Buffer>;
}

/** Tells whether a part is the file that the form is for. */
export type IsFile = (part: Pick<Part, 'name' | 'filename'>) => boolean;

const maxHeaderBytes = 16 * 1024;
const maxParts = 32;
/** Limit of everything beside the file: fields, other files, headers, and text around the parts. */
const maxOtherBytes = 64 * 1024;

/**
 * Yields the parts of a request's body. Only the file may be large.
 * @throws {Failure} UNSUPPORTED_MEDIA_TYPE, UPLOAD_INVALID, or UPLOAD_INTERRUPTED when the body ends too early.
 */
export async function* readParts(request: IncomingMessage, isFile: IsFile): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(request.headers['content-type'])}`, 'latin1');
  const input = openInput(request);
  try {
    for await (const _ of untilDelimiter(input, delimiter));
    for (let count = 0; await anotherPart(input); count += 1) {
      if (count === maxParts) throw new Failure('UPLOAD_INVALID', 'The upload form has too many parts.');
      const part = describe(await readHeaders(input));
      let finished = false;
      const read = async function* () {
        yield* untilDelimiter(input, delimiter, isFile(part));
        finished = true;
      };
      yield { ...part, body: read() };
      if (!finished) for await (const _ of read());
    }
    while (await input.more()) input.held = Buffer.alloc(0);
  } finally {
    await input.close();
  }
}

function boundaryOf(contentType: string | undefined): string {
  if (!/^multipart\/form-data\b/i.test(contentType ?? '')) {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', "Send the file as multipart/form-data, in a form field named 'file'.");
  }
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw new Failure('UPLOAD_INVALID', 'The multipart form has no boundary in its Content-Type.');
  if (boundary.length > 70) throw new Failure('UPLOAD_INVALID', 'The multipart boundary is longer than 70 characters.');
  return boundary;
}

interface Input {
  /** Bytes received and not yet used. */
  held: Buffer;
  /** Number of bytes of the file that were read. */
  ofFile: number;
  /**
   * Appends the next chunk to `held`; returns false at the end of the body.
   * @throws {Failure} UPLOAD_INVALID when there was too much beside the file.
   */
  more(): Promise<boolean>;
  /** Releases the body, so that the rest of it can be discarded. */
  close(): Promise<void>;
}

function openInput(request: IncomingMessage): Input {
  // Leaving the loop must not close the connection: it may still have to carry an error response.
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let received = 0;
  return {
    // Without a preamble, the first boundary has no line break before it.
    held: Buffer.from('\r\n'),
    ofFile: 0,
    async more() {
      if (received - this.held.length - this.ofFile > maxOtherBytes) throw tooMuchBesideTheFile();
      const next = await chunks.next().catch((cause: unknown) => {
        throw new Failure('UPLOAD_INTERRUPTED', undefined, { cause });
      });
      if (next.done) return false;
      received += next.value.length;
      this.held = this.held.length === 0 ? next.value : Buffer.concat([this.held, next.value]);
      return true;
    },
    async close() {
      await chunks.return?.();
    },
  };
}

/** Yields everything before the next delimiter, and consumes the delimiter. */
async function* untilDelimiter(input: Input, delimiter: Buffer, isFile = false): AsyncGenerator<Buffer> {
  for (;;) {
    const at = input.held.indexOf(delimiter);
    const end = at === -1 ? input.held.length - delimiterStart(input.held, delimiter) : at;
    const ready = input.held.subarray(0, end);
    input.held = input.held.subarray(end);
    if (isFile) input.ofFile += ready.length;
    // A reader may stop here. The delimiter is consumed only afterwards, so that skipping the rest still finds it.
    if (ready.length > 0) yield ready;
    if (at !== -1) {
      input.held = input.held.subarray(delimiter.length);
      return;
    }
    if (!(await input.more())) throw endedEarly();
  }
}

/** Returns the number of bytes at the end of `chunk` that may start a delimiter continued in the next chunk. */
function delimiterStart(chunk: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, chunk.length - delimiter.length + 1);
  for (let at = chunk.indexOf(0x0d, from); at !== -1; at = chunk.indexOf(0x0d, at + 1)) {
    const length = chunk.length - at;
    if (chunk.compare(delimiter, 0, length, at) === 0) return length;
  }
  return 0;
}

/** After a delimiter, the form ends with `--`, or the next part follows after white space and a line break. */
async function anotherPart(input: Input): Promise<boolean> {
  while (input.held.length < 2) if (!(await input.more())) throw endedEarly();
  if (input.held[0] === 0x2d && input.held[1] === 0x2d) {
    input.held = Buffer.alloc(0);
    return false;
  }
  const line = await readThrough(input, '\r\n', 256);
  if (line.trim() !== '') throw new Failure('UPLOAD_INVALID', 'The multipart form has a broken boundary.');
  return true;
}

async function readHeaders(input: Input): Promise<string> {
  while (input.held.length < 2) if (!(await input.more())) throw endedEarly();
  if (input.held[0] === 0x0d && input.held[1] === 0x0a) {
    input.held = input.held.subarray(2);
    return '';
  }
  return readThrough(input, '\r\n\r\n', maxHeaderBytes);
}

async function readThrough(input: Input, mark: string, limit: number): Promise<string> {
  for (;;) {
    const at = input.held.indexOf(mark);
    if (at > limit || (at === -1 && input.held.length > limit))
      throw new Failure('UPLOAD_INVALID', 'A part of the form has too long a header.');
    if (at !== -1) {
      const text = input.held.toString('utf8', 0, at);
      input.held = input.held.subarray(at + mark.length);
      return text;
    }
    if (!(await input.more())) throw endedEarly();
  }
}

function describe(headers: string): { name: string; filename: string | null } {
  const line = headers.split('\r\n').find((header) => /^content-disposition:/i.test(header));
  const { type, parameters } = disposition(line?.slice(line.indexOf(':') + 1).trim() ?? '');
  const { name = '', filename = null } = parameters;
  if (type !== 'form-data') throw badDisposition();
  if (name === '') throw new Failure('UPLOAD_INVALID', 'A part of the form has no field name.');
  return { name, filename };
}

function disposition(value: string): { type: string; parameters: Readonly<Record<string, string | undefined>> } {
  // Browsers encode a quote as %22 and leave a backslash alone; other clients escape a quote with a backslash.
  const escapedByBackslash = /\\"(?!\s*(;|$))/.test(value);
  try {
    return parseDisposition(value, { multipart: !escapedByBackslash });
  } catch (cause) {
    throw badDisposition(cause);
  }
}

const badDisposition = (cause?: unknown) =>
  new Failure('UPLOAD_INVALID', 'A part of the form has no valid Content-Disposition header.', { cause });

const tooMuchBesideTheFile = () =>
  new Failure('UPLOAD_INVALID', 'The form has more than 64 KB beside the file. Send only the fields of this call.');

const endedEarly = () => new Failure('UPLOAD_INTERRUPTED', 'The upload ended before its closing boundary. Try again.');
