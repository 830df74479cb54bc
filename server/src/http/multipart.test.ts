import * as fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { isFilePart, readParts } from './multipart.ts';

interface SentPart {
  readonly name: string;
  readonly filename: string | null;
  readonly content: Uint8Array;
}

const boundary = 'edge-7';

/** Quotes as browsers do (the HTML standard's multipart/form-data encoding). */
const quoted = (text: string) => `"${text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`;

function bodyOf(parts: readonly SentPart[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}`,
    filename === null ? '\r\n\r\n' : `; filename=${quoted(filename)}\r\nContent-Type: text/plain\r\n\r\n`,
    content,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)));
}

/** A request whose body arrives in the given pieces. */
function requestOf(body: Buffer, cuts: readonly number[] = []): IncomingMessage {
  const places = [...new Set(cuts.map((cut) => cut % (body.length + 1)))].toSorted((a, b) => a - b);
  const chunks = [...places, body.length]
    .map((end, at) => body.subarray(places[at - 1] ?? 0, end))
    .filter((chunk) => chunk.length > 0);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return Object.assign(Readable.from(chunks, { objectMode: false }), { headers }) as unknown as IncomingMessage;
}

async function received(request: IncomingMessage, isFile: typeof isFilePart = () => true): Promise<SentPart[]> {
  const parts: SentPart[] = [];
  for await (const { name, filename, body } of readParts(request, { isFile })) {
    const chunks: Buffer[] = [];
    const into = Buffer.alloc(50_000);
    for (let count; (count = await body.read(into)) > 0;) chunks.push(Buffer.from(into.subarray(0, count)));
    parts.push({ name, filename, content: new Uint8Array(Buffer.concat(chunks)) });
  }
  return parts;
}

/** Byte sequences that look like delimiters, and parts of them, between ordinary bytes. */
const trickyBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r', '\n', '\r\n', '-', '--', `\r\n--`, `\r\n--edge`, `--${boundary}`, `\r\n-${boundary}`, '\0'),
      fc.uint8Array({ maxLength: 40 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))))
  .filter((bytes) => !bytes.includes(`\n--${boundary}`))
  .map((bytes) => new Uint8Array(bytes));
const name = fc.string({ unit: fc.constantFrom(...'abcÄ 🐙;="\'.,-_/()'), minLength: 1, maxLength: 12 });
const sentPart = fc.record({
  name,
  filename: fc.option(name, { nil: null }),
  content: trickyBytes,
});
const cuts = fc.array(fc.nat(), { maxLength: 30 });

test('the received parts equal the sent parts, with any cuts by the network', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sentPart, { maxLength: 6 }), cuts, async (parts, places) => {
      expect(await received(requestOf(bodyOf(parts), places))).toEqual(parts);
    }),
    { numRuns: 500 },
  );
});

test('the memory of a chunk is freed once it is read, except memory that others share', async () => {
  const part = (content: string) => ({
    name: 'file',
    filename: 'a.txt',
    content: new Uint8Array(Buffer.from(content)),
  });
  const body = bodyOf([part('x'.repeat(500)), part('x'.repeat(500))]);
  const own = Buffer.from(Uint8Array.from(body.subarray(0, 300)).buffer);
  const shared = Buffer.from(Uint8Array.from(body).buffer);
  const chunks = [own, shared.subarray(300, -300), shared.subarray(-300)];
  const request = Object.assign(Readable.from(chunks, { objectMode: false }), { headers: requestOf(body).headers });
  expect(await received(request as unknown as IncomingMessage)).toHaveLength(2);
  expect(own.buffer.byteLength).toBe(0);
  expect(shared.equals(body)).toBe(true);
});

test('a part whose body is not read is skipped', async () => {
  const parts = ['first', 'second', 'third'].map((text) => ({
    name: text,
    filename: null,
    content: new Uint8Array(Buffer.from(`\r\n--${text}`.repeat(1_000))),
  }));
  const names: string[] = [];
  for await (const part of readParts(requestOf(bodyOf(parts), [100, 9_000, 20_000]), { isFile: () => true })) {
    names.push(part.name);
    if (part.name === 'second') await part.body.read(Buffer.alloc(5));
  }
  expect(names).toEqual(['first', 'second', 'third']);
});

test('text before the first boundary and after the last is not a part', async () => {
  const parts = [{ name: 'file', filename: 'a.txt', content: new Uint8Array(Buffer.from('hello')) }];
  const body = Buffer.concat([Buffer.from('preamble\r\n'), bodyOf(parts), Buffer.from('epilogue\r\n--edge-7\r\n')]);
  expect(await received(requestOf(body))).toEqual(parts);
});

const file = { name: 'file', filename: 'a.txt', content: new Uint8Array(1_000_000) };
const fieldOf = (size: number, filename: string | null = null) => ({
  name: 'junk',
  filename,
  content: new Uint8Array(size),
});
const cutEvery = (size: number) => Array.from({ length: 100 }, (_, at) => (at + 1) * size);

test.each<[string, Buffer]>([
  ['in one field', bodyOf([file, fieldOf(70_000)])],
  ['in the headers of parts', bodyOf([file, ...Array.from({ length: 10 }, () => fieldOf(0, 'x'.repeat(8_000)))])],
  ['before the first boundary', Buffer.concat([Buffer.alloc(70_000), Buffer.from('\r\n'), bodyOf([file])])],
  ['after the last boundary', Buffer.concat([bodyOf([file]), Buffer.alloc(70_000)])],
])('a form with more than 64 KB beside its file is refused: %s', async (_, body) => {
  for (const size of [10_000, 65_536])
    await expect(received(requestOf(body, cutEvery(size)), isFilePart)).rejects.toThrow(/64 KB beside the file/);
});

test('a form with a line that ends in LF alone is refused, wherever the network cuts it', async () => {
  const text = bodyOf([
    { name: 'file', filename: 'a.txt', content: new Uint8Array(Buffer.from('hello')) },
    { name: 'sha_1', filename: null, content: new Uint8Array() },
  ]).toString();
  const lineEnds = [...text.matchAll(/\r\n/g)].map(({ index }) => index).slice(0, -1);
  const broken = [text.replaceAll('\r', ''), ...lineEnds.map((at) => text.slice(0, at) + text.slice(at + 1))];
  for (const form of broken)
    for (let cut = 0; cut < form.length; cut += 1)
      await expect(received(requestOf(Buffer.from(form), [cut])), `${form} cut at ${cut}`).rejects.toMatchObject({
        code: 'UPLOAD_INVALID',
        message: expect.stringMatching(/End each of them in CR LF/),
      });
});

test('a body that is cut off anywhere before its end is refused as interrupted', async () => {
  const body = bodyOf([{ name: 'file', filename: 'a.txt', content: new Uint8Array(Buffer.from('hello')) }]);
  for (let length = 0; length < body.length - 2; length += 1)
    await expect(received(requestOf(body.subarray(0, length))), `${length} bytes`).rejects.toMatchObject({
      code: 'UPLOAD_INTERRUPTED',
    });
});

test.each([
  ['application/json', 'UNSUPPORTED_MEDIA_TYPE'],
  ['', 'UNSUPPORTED_MEDIA_TYPE'],
  ['multipart/form-datax; boundary=a', 'UNSUPPORTED_MEDIA_TYPE'],
  ['multipart/form-data', 'UPLOAD_INVALID'],
  ['multipart/form-data; boundary=', 'UPLOAD_INVALID'],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, 'UPLOAD_INVALID'],
])('the content type %j is refused', async (type, code) => {
  const request = requestOf(bodyOf([]));
  request.headers['content-type'] = type;
  await expect(received(request)).rejects.toMatchObject({ code });
});
