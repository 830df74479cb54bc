/** Decides the response to a GET or HEAD of stored bytes, by RFC 9110. It neither reads nor sends. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { publicPolicy } from '../http/response-headers.ts';
import { ifRangeHolds, judgeConditions, type Validators } from './conditions.ts';
import { type ByteRange, selectRanges } from './ranges.ts';

export type HeaderList = readonly string[];

export interface Representation extends Validators {
  readonly size: number;
  readonly contentType: string;
  readonly headers: HeaderList;
  readonly policy: HeaderList;
}

export type Piece = ByteRange | Buffer;

export interface FileResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly pieces: readonly Piece[];
  readonly sendsFirstByte: boolean;
}

export function respondTo(method: string, headers: IncomingHttpHeaders, what: Representation): FileResponse {
  const verdict = judgeConditions(headers, what);
  if (verdict === 'not-modified')
    return { status: 304, headers: validatorsOf(what), pieces: [], sendsFirstByte: false };
  if (verdict === 'failed') return textResponse(method, 412, 'The condition of the request does not hold.');
  const isRanged = method === 'GET' && headers.range !== undefined && ifRangeHolds(headers, what);
  const selection = selectRanges(isRanged ? headers.range : undefined, what.size);
  if (selection === 'whole') return method === 'HEAD' ? { ...wholeResponse(what), ...noBody } : wholeResponse(what);
  const [first, ...others] = selection;
  if (!first) return unsatisfiable(method, what);
  return others.length === 0 ? rangeResponse(first, what) : multipartResponse(selection, what);
}

const noBody = { pieces: [], sendsFirstByte: false };

const wholes = new WeakMap<Representation, FileResponse>();

function wholeResponse(what: Representation): FileResponse {
  const known = wholes.get(what);
  if (known) return known;
  const pieces = what.size === 0 ? [] : [{ start: 0, end: what.size - 1 }];
  const response = { status: 200, headers: headersOf(what, what.contentType, pieces), pieces, sendsFirstByte: true };
  wholes.set(what, response);
  return response;
}

function rangeResponse(range: ByteRange, what: Representation): FileResponse {
  const headers = [...headersOf(what, what.contentType, [range]), 'Content-Range', contentRange(range, what)];
  return { status: 206, headers, pieces: [range], sendsFirstByte: range.start === 0 };
}

/** Section 14.6. */
function multipartResponse(ranges: readonly ByteRange[], what: Representation): FileResponse {
  const boundary = randomBytes(12).toString('hex');
  const frame = (range: ByteRange) =>
    `\r\n--${boundary}\r\nContent-Type: ${what.contentType}\r\nContent-Range: ${contentRange(range, what)}\r\n\r\n`;
  const pieces = [
    ...ranges.flatMap((range) => [Buffer.from(frame(range)), range]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
  const headers = headersOf(what, `multipart/byteranges; boundary=${boundary}`, pieces);
  return { status: 206, headers, pieces, sendsFirstByte: ranges.some(({ start }) => start === 0) };
}

function unsatisfiable(method: string, { size }: Representation): FileResponse {
  const text = `The file has ${size} bytes, and none of them is in that range.`;
  return withHeader(textResponse(method, 416, text), 'Content-Range', `bytes */${size}`);
}

export function textResponse(
  method: string,
  status: number,
  sentence: string,
  policy: HeaderList = publicPolicy,
): FileResponse {
  const text = Buffer.from(`${sentence}\n`);
  const headers = [...policy, 'Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(text.length)];
  return { status, headers, pieces: method === 'HEAD' ? [] : [text], sendsFirstByte: false };
}

export const withHeader = (response: FileResponse, name: string, value: string): FileResponse => ({
  ...response,
  headers: [...response.headers, name, value],
});

export const lengthOf = (piece: Piece): number => (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start + 1);

export const bodyLength = ({ pieces }: Pick<FileResponse, 'pieces'>): number =>
  pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);

const headersOf = (what: Representation, contentType: string, pieces: readonly Piece[]): HeaderList => [
  ...validatorsOf(what),
  ...what.headers,
  'Content-Type',
  contentType,
  'Content-Length',
  String(bodyLength({ pieces })),
];

const validatorsOf = ({ policy, etag, lastModified }: Representation): HeaderList => [
  ...policy,
  'Accept-Ranges',
  'bytes',
  'ETag',
  etag,
  'Last-Modified',
  new Date(lastModified).toUTCString(),
];

const contentRange = ({ start, end }: ByteRange, { size }: Representation): string => `bytes ${start}-${end}/${size}`;
