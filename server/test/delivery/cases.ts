/**
 * Public delivery as one table: request → status, headers, bytes. It applies to Node alone and to every front before
 * it. The rules are those of RFC 9110, sections 13 and 14.
 */
import { sha1, sha256 } from '../harness/uploads.ts';
import type { Policy } from './policies.ts';

/** Facts about the requested file. */
export interface Stored {
  /** `/file/{name}`. */
  readonly path: string;
  readonly bytes: Buffer;
  /** With its quotes. */
  readonly etag: string;
  /** Time of the upload as an HTTP date, and a second before and after it. */
  readonly modified: string;
  readonly before: string;
  readonly after: string;
}

export type Files = Readonly<Record<FileName, Stored>>;
export type FileName = keyof typeof contents;

/** Larger than anything kept in memory, so that it is read from the disk in several pieces. */
const large = Buffer.from(Array.from({ length: 700_001 }, (_, at) => (at * 7 + (at >> 8) * 13) & 0xff));

export const contents = {
  text: {
    name: 'notes.txt',
    bytes: Buffer.from(Array.from({ length: 250 }, (_, at) => `${at}\n`.padStart(4)).join('')),
  },
  large: { name: 'pack.zip', bytes: large },
  empty: { name: 'empty.txt', bytes: Buffer.alloc(0) },
  page: { name: 'page.html', bytes: Buffer.from('<script>alert(1)</script>') },
  clip: { name: 'clip.mp4', bytes: Buffer.from('a film of a few bytes') },
  named: { name: 'Набор "осьминог" 🐙.zip', bytes: Buffer.from('octopus') },
} as const satisfies Record<string, { name: string; bytes: Buffer }>;

export interface Case {
  readonly says: string;
  readonly file: FileName;
  /** The part of the request target after the path of the file. */
  readonly rest?: string;
  readonly method?: string;
  readonly headers?: (file: Stored) => readonly string[];
  readonly status: number;
  /** The bytes of the file in the body: all, none, one range, or several as a multipart body. */
  readonly body: 'whole' | 'none' | 'text' | 'digest' | 'sha1' | readonly [start: number, end: number][];
  /** Defaults to `plain`. */
  readonly policy?: Policy;
  readonly answers?: (file: Stored) => Readonly<Record<string, string | undefined>>;
}

const range = (value: string) => () => [`Range: ${value}`];
const large1 = contents.large.bytes.length;

const plain: readonly Case[] = [
  {
    says: 'a file comes whole, with all that is known of it',
    file: 'text',
    status: 200,
    body: 'whole',
    answers: ({ bytes, etag, modified }) => ({
      'accept-ranges': 'bytes',
      'cache-control': 'public, no-cache',
      'content-disposition': 'inline; filename=notes.txt',
      'content-length': String(bytes.length),
      'content-range': undefined,
      'content-type': 'text/plain; charset=utf-8',
      etag,
      'last-modified': modified,
      'repr-digest': `sha-256=:${Buffer.from(sha256(bytes), 'hex').toString('base64')}:`,
    }),
  },
  { says: 'a large file comes whole', file: 'large', status: 200, body: 'whole' },
  { says: 'an empty file is an empty body', file: 'empty', status: 200, body: 'whole' },
  { says: 'the extension may be asked for', file: 'large', rest: '.zip', status: 200, body: 'whole' },
  { says: 'the extension may be asked for in any case', file: 'text', rest: '.TxT', status: 200, body: 'whole' },
  { says: 'a query changes nothing', file: 'text', rest: '?no-count=true&x=../', status: 200, body: 'whole' },
  {
    says: 'what could run is a download',
    file: 'page',
    status: 200,
    body: 'whole',
    answers: () => ({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename=page.html',
    }),
  },
  {
    says: 'a name in any script is kept, and a client that reads only ASCII gets that of the link',
    file: 'named',
    status: 200,
    body: 'whole',
    answers: ({ path }) => ({
      'content-disposition': `attachment; filename=${path.split('/').at(-1)}.zip; filename*=UTF-8''%D0%9D%D0%B0%D0%B1%D0%BE%D1%80%20%22%D0%BE%D1%81%D1%8C%D0%BC%D0%B8%D0%BD%D0%BE%D0%B3%22%20%F0%9F%90%99.zip`,
    }),
  },
  ...['gzip', 'br, gzip, deflate', 'zstd', '*', 'identity;q=0'].map((encoding): Case => ({
    says: `nothing is ever compressed, also not for Accept-Encoding: ${encoding}`,
    file: 'text',
    headers: () => [`Accept-Encoding: ${encoding}`],
    status: 200,
    body: 'whole',
    answers: () => ({ 'content-encoding': undefined, vary: undefined }),
  })),
];

const single = (header: string, file: FileName, start: number, end: number): Case => ({
  says: `Range: ${header.slice(0, 40)} of the ${file} file`,
  file,
  headers: range(header),
  status: 206,
  body: [[start, end]],
  answers: ({ bytes }) => ({
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
    'content-length': String(end - start + 1),
    'accept-ranges': 'bytes',
  }),
});
const several = (header: string, file: FileName, ranges: readonly [number, number][]): Case => ({
  says: `several ranges are one multipart answer: ${header}`,
  file,
  headers: range(header),
  status: 206,
  body: ranges,
  answers: () => ({ 'content-range': undefined }),
});
const ignored = (header: string, file: FileName = 'text'): Case => ({
  says: `Range: ${header.slice(0, 40)} is ignored`,
  file,
  headers: range(header),
  status: 200,
  body: 'whole',
  answers: () => ({ 'content-range': undefined }),
});
const unsatisfiable = (header: string, file: FileName = 'text'): Case => ({
  says: `Range: ${header.slice(0, 40)} of the ${file} file cannot be satisfied`,
  file,
  headers: range(header),
  status: 416,
  body: 'text',
  answers: ({ bytes }) => ({ 'content-range': `bytes */${bytes.length}` }),
});
const many = (count: number) => Array.from({ length: count }, (_, at) => `${at * 3}-${at * 3 + 1}`).join(',');
const huge = '9'.repeat(60);

const ranges: readonly Case[] = [
  single('bytes=0-9', 'text', 0, 9),
  single('bytes=990-', 'text', 990, 999),
  single('bytes=-10', 'text', 990, 999),
  single(`bytes=5-${huge}`, 'text', 5, 999),
  single('BYTES=1-2', 'text', 1, 2),
  single('bytes=0-0', 'large', 0, 0),
  single('bytes=1-', 'large', 1, large1 - 1),
  single('bytes=262143-262144', 'large', 262_143, 262_144),
  single('bytes=65535-524289', 'large', 65_535, 524_289),
  single('bytes=-300000', 'large', large1 - 300_000, large1 - 1),
  several('bytes=0-1,5-9', 'text', [
    [0, 1],
    [5, 9],
  ]),
  several('bytes=5-9, 0-1,-1', 'text', [
    [5, 9],
    [0, 1],
    [999, 999],
  ]),
  several('bytes=1-300000,300001-500000', 'large', [
    [1, 300_000],
    [300_001, 500_000],
  ]),
  several(
    `bytes=${many(32)}`,
    'text',
    Array.from({ length: 32 }, (_, at) => [at * 3, at * 3 + 1]),
  ),
  unsatisfiable('bytes=1000-'),
  unsatisfiable('bytes=-0'),
  unsatisfiable('bytes=0-', 'empty'),
  ignored('bytes=-5', 'empty'),
  ...['bytes=2-1', 'bytes=a-b', 'seconds=0-1', 'bytes=0-600,400-999', `bytes=${many(600)}`].map((each) =>
    ignored(each),
  ),
  {
    says: 'two Range headers are as good as none',
    file: 'text',
    headers: () => ['Range: bytes=0-1', 'Range: bytes=4-5'],
    status: 200,
    body: 'whole',
  },
];

type Headers = NonNullable<Case['headers']>;
const whole = (says: string, headers: Headers): Case => ({ says, file: 'text', headers, status: 200, body: 'whole' });
const notModified = (says: string, headers: Headers): Case => ({
  says,
  file: 'text',
  headers,
  status: 304,
  body: 'none',
  answers: ({ etag, modified }) => ({
    etag,
    'last-modified': modified,
    'cache-control': 'public, no-cache',
    'content-type': undefined,
    'content-range': undefined,
  }),
});
const failed = (says: string, headers: Headers): Case => ({ says, file: 'text', headers, status: 412, body: 'text' });
const part = (says: string, headers: Headers): Case => ({
  says,
  file: 'text',
  headers: (file) => ['Range: bytes=10-19', ...headers(file)],
  status: 206,
  body: [[10, 19]],
});
const partRefused = (says: string, headers: Headers): Case =>
  whole(says, (file) => ['Range: bytes=10-19', ...headers(file)]);
const other = `"${'0'.repeat(64)}"`;

const conditions: readonly Case[] = [
  notModified('If-None-Match with the tag', ({ etag }) => [`If-None-Match: ${etag}`]),
  notModified('If-None-Match compares weakly', ({ etag }) => [`If-None-Match: W/${etag}`]),
  notModified('If-None-Match with the tag among others', ({ etag }) => [`If-None-Match: "a", W/"b,c" ,${etag}`]),
  notModified('If-None-Match in two lines', ({ etag }) => ['If-None-Match: "a"', `If-None-Match: ${etag}`]),
  notModified('If-None-Match: *', () => ['If-None-Match: *']),
  notModified('If-None-Match outdoes Range', ({ etag }) => ['Range: bytes=0-1', `If-None-Match: ${etag}`]),
  notModified('If-None-Match outdoes an older If-Modified-Since', ({ etag, before }) => [
    `If-None-Match: ${etag}`,
    `If-Modified-Since: ${before}`,
  ]),
  whole('If-None-Match with another tag', () => [`If-None-Match: ${other}`]),
  whole('If-None-Match with a tag that lacks its quotes', ({ etag }) => [`If-None-Match: ${etag.slice(1, -1)}`]),
  whole('If-None-Match with another tag outdoes If-Modified-Since', ({ after }) => [
    `If-None-Match: ${other}`,
    `If-Modified-Since: ${after}`,
  ]),
  notModified('If-Modified-Since the very second', ({ modified }) => [`If-Modified-Since: ${modified}`]),
  notModified('If-Modified-Since later', ({ after }) => [`If-Modified-Since: ${after}`]),
  whole('If-Modified-Since earlier', ({ before }) => [`If-Modified-Since: ${before}`]),
  whole('If-Modified-Since something that is no date', () => ['If-Modified-Since: 2026']),
  whole('If-Match with the tag', ({ etag }) => [`If-Match: ${etag}`]),
  whole('If-Match with the tag among others', ({ etag }) => [`If-Match: "a", ${etag}`]),
  whole('If-Match: *', () => ['If-Match: *']),
  failed('If-Match with another tag', () => [`If-Match: ${other}`]),
  failed('If-Match compares strongly', ({ etag }) => [`If-Match: W/${etag}`]),
  failed('If-Match outdoes Range', () => [`If-Match: ${other}`, 'Range: bytes=0-1']),
  failed('If-Match comes before If-None-Match', ({ etag }) => [`If-Match: ${other}`, `If-None-Match: ${etag}`]),
  part('If-Match with the tag lets Range pass', ({ etag }) => [`If-Match: ${etag}`]),
  whole('If-Unmodified-Since the very second', ({ modified }) => [`If-Unmodified-Since: ${modified}`]),
  whole('If-Unmodified-Since later', ({ after }) => [`If-Unmodified-Since: ${after}`]),
  failed('If-Unmodified-Since earlier', ({ before }) => [`If-Unmodified-Since: ${before}`]),
  whole('If-Unmodified-Since something that is no date', () => ['If-Unmodified-Since: yesterday']),
  whole('If-Match outdoes If-Unmodified-Since', ({ etag, before }) => [
    `If-Match: ${etag}`,
    `If-Unmodified-Since: ${before}`,
  ]),
  notModified('If-Match that holds leaves If-None-Match to judge', ({ etag }) => [
    `If-Match: ${etag}`,
    `If-None-Match: ${etag}`,
  ]),
  part('If-Range with the tag', ({ etag }) => [`If-Range: ${etag}`]),
  part('If-Range with the date', ({ modified }) => [`If-Range: ${modified}`]),
  partRefused('If-Range with another tag', () => [`If-Range: ${other}`]),
  partRefused('If-Range compares strongly', ({ etag }) => [`If-Range: W/${etag}`]),
  partRefused('If-Range with an earlier date', ({ before }) => [`If-Range: ${before}`]),
  partRefused('If-Range with a later date', ({ after }) => [`If-Range: ${after}`]),
  partRefused('If-Range with neither tag nor date', () => ['If-Range: 1']),
  partRefused('If-Range takes no list', ({ etag }) => [`If-Range: ${etag}, ${etag}`]),
  whole('If-Range without Range', () => [`If-Range: ${other}`]),
  {
    says: 'If-Range with another tag hides a range that cannot be satisfied',
    file: 'text',
    headers: () => ['Range: bytes=5000-', `If-Range: ${other}`],
    status: 200,
    body: 'whole',
  },
];

const digests: readonly Case[] = [
  { says: 'the digest of a file is a text', file: 'text', rest: '.sha256', status: 200, body: 'digest' },
  { says: 'the digest comes after an extension too', file: 'large', rest: '.zip.sha256', status: 200, body: 'digest' },
  {
    says: 'a digest is not sent again to who has it',
    file: 'text',
    rest: '.sha256',
    headers: ({ bytes }) => [`If-None-Match: "${sha256(sha256(bytes))}"`],
    status: 304,
    body: 'none',
  },
  {
    says: 'the tag of the file is not the tag of its digest',
    file: 'text',
    rest: '.sha256',
    headers: ({ etag }) => [`If-None-Match: ${etag}`],
    status: 200,
    body: 'digest',
  },
  {
    says: 'a digest is as old as its file',
    file: 'text',
    rest: '.sha256',
    headers: ({ modified }) => [`If-Modified-Since: ${modified}`],
    status: 304,
    body: 'none',
  },
  {
    says: 'a condition on a digest can fail',
    file: 'text',
    rest: '.sha256',
    headers: ({ etag }) => [`If-Match: ${etag}`],
    status: 412,
    body: 'text',
  },
  {
    says: 'a digest has 64 bytes and no more',
    file: 'text',
    rest: '.sha256',
    headers: range('bytes=64-'),
    status: 416,
    body: 'text',
    answers: () => ({ 'content-range': 'bytes */64' }),
  },
  { says: 'the SHA-1 of a file is a text', file: 'text', rest: '.sha1', status: 200, body: 'sha1' },
  { says: 'the SHA-1 comes after an extension too', file: 'large', rest: '.zip.sha1', status: 200, body: 'sha1' },
  { says: 'an empty file has a SHA-1', file: 'empty', rest: '.sha1', status: 200, body: 'sha1' },
  {
    says: 'a SHA-1 is not sent again to who has it',
    file: 'large',
    rest: '.sha1',
    headers: ({ bytes }) => [`If-None-Match: "${sha256(sha1(bytes))}"`],
    status: 304,
    body: 'none',
  },
  {
    says: 'a SHA-1 has 40 bytes and no more',
    file: 'text',
    rest: '.sha1',
    headers: range('bytes=40-'),
    status: 416,
    body: 'text',
    answers: () => ({ 'content-range': 'bytes */40' }),
  },
];

const noCode = (says: string, ...headers: string[]): Case => ({
  says,
  file: 'text',
  headers: () => headers,
  status: 403,
  body: 'text',
});

const others: readonly Case[] = [
  noCode('no file is a service worker', 'Service-Worker: script', 'Sec-Fetch-Dest: serviceworker'),
  noCode('no file is a script of its own origin', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: script'),
  noCode('no file is a worker of its own origin', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: worker'),
  whole('a picture of its own origin is shown', () => ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: image']),
  whole('what another site does with a file is its own business', () => [
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Dest: script',
  ]),
  { says: 'another extension is another file', file: 'text', rest: '.zip', status: 404, body: 'text' },
  {
    says: 'a condition does not make a missing file',
    file: 'text',
    rest: '.zip',
    headers: () => ['If-Match: *'],
    status: 404,
    body: 'text',
  },
  {
    says: 'a range does not make a missing file',
    file: 'text',
    rest: '.zip',
    headers: range('bytes=0-1'),
    status: 404,
    body: 'text',
  },
];

/** Only responses that may be the film itself have the policy of media. */
const media: readonly Case[] = [
  { says: 'a film comes whole', file: 'clip', status: 200, body: 'whole', policy: 'media' },
  {
    says: 'a range of a film',
    file: 'clip',
    headers: range('bytes=2-5'),
    status: 206,
    body: [[2, 5]],
    policy: 'media',
  },
  {
    says: 'a film that has not changed',
    file: 'clip',
    headers: ({ etag }) => [`If-None-Match: ${etag}`],
    status: 304,
    body: 'none',
    policy: 'media',
  },
  { says: 'a range that a film does not have', file: 'clip', headers: range('bytes=99-'), status: 416, body: 'text' },
  {
    says: 'a condition that a film does not meet',
    file: 'clip',
    headers: () => ['If-Match: "other"'],
    status: 412,
    body: 'text',
  },
  { says: 'the digest of a film', file: 'clip', rest: '.sha256', status: 200, body: 'digest' },
  { says: 'a film under the extension of a page', file: 'clip', rest: '.html', status: 404, body: 'text' },
];

export const cases: readonly Case[] = [...plain, ...ranges, ...conditions, ...digests, ...others, ...media];
