/**
 * What to answer to a GET or HEAD of stored bytes: status, headers and which bytes, by RFC 9110. Nothing is read or
 * sent here, so every rule can be tested without a socket.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ifRangeHolds, judgeConditions, type Validators } from './conditions.ts';
import { formatHttpDate } from './http-date.ts';
import { type ByteRange, selectRanges } from './ranges.ts';

/** Names and values in turn, as `writeHead` takes them fastest. */
export type HeaderList = readonly string[];

/** Bytes that are known by a link, and what is said of them. */
export interface Representation extends Validators {
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  /** What else is said of these bytes, in every 200 and 206. */
  readonly headers: HeaderList;
  /** What every answer carries, errors too. */
  readonly policy: HeaderList;
}

/** Bytes of the representation, or bytes that are made here: the frame of a multipart answer, or a text. */
export type Piece = ByteRange | Buffer;

export interface FileAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  /** What follows the headers; nothing at all for HEAD. */
  readonly pieces: readonly Piece[];
  /** Whether it begins to send the file: its first byte, or all there is of an empty one. */
  readonly sendsFirstByte: boolean;
}

/** For GET and HEAD. */
export function answerFor(method: string, headers: IncomingHttpHeaders, what: Representation): FileAnswer {
  const verdict = judgeConditions(headers, what);
  if (verdict === 'not-modified')
    return { status: 304, headers: validatorsOf(what), pieces: [], sendsFirstByte: false };
  if (verdict === 'failed')
    return textAnswer(method, 412, 'The file is not the one that the condition asks for.', what);
  // Only for GET is a range defined (section 14.2).
  const ranged = method === 'GET' && headers.range !== undefined && ifRangeHolds(headers, what);
  const selection = selectRanges(ranged ? headers.range : undefined, what.size);
  if (selection === 'whole') return wholeAnswer(method, what);
  const [first, ...others] = selection;
  if (!first) return unsatisfiable(method, what);
  return others.length === 0 ? rangeAnswer(first, what) : multipartAnswer(selection, what);
}

function wholeAnswer(method: string, what: Representation): FileAnswer {
  const all = what.size === 0 ? [] : [{ start: 0, end: what.size - 1 }];
  const headers = [...aboutBytes(what), 'Content-Type', what.contentType, 'Content-Length', String(what.size)];
  return { status: 200, headers, pieces: method === 'HEAD' ? [] : all, sendsFirstByte: method === 'GET' };
}

function rangeAnswer(range: ByteRange, what: Representation): FileAnswer {
  const headers = [
    ...aboutBytes(what),
    'Content-Type',
    what.contentType,
    'Content-Range',
    contentRange(range, what),
    'Content-Length',
    String(lengthOf(range)),
  ];
  return { status: 206, headers, pieces: [range], sendsFirstByte: range.start === 0 };
}

/** Section 14.6. The type and place of each part stand before it, the type of the whole in its header. */
function multipartAnswer(ranges: readonly ByteRange[], what: Representation): FileAnswer {
  const boundary = randomBytes(12).toString('hex');
  const pieces = ranges.flatMap((range) => [
    Buffer.from(
      `\r\n--${boundary}\r\nContent-Type: ${what.contentType}\r\nContent-Range: ${contentRange(range, what)}\r\n\r\n`,
    ),
    range,
  ]);
  pieces.push(Buffer.from(`\r\n--${boundary}--\r\n`));
  const length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  const headers = [
    ...aboutBytes(what),
    'Content-Type',
    `multipart/byteranges; boundary=${boundary}`,
    'Content-Length',
    String(length),
  ];
  return { status: 206, headers, pieces, sendsFirstByte: ranges.some(({ start }) => start === 0) };
}

function unsatisfiable(method: string, what: Representation): FileAnswer {
  const answer = textAnswer(method, 416, `The file has ${what.size} bytes, and none of them is in that range.`, what);
  return { ...answer, headers: [...answer.headers, 'Content-Range', `bytes */${what.size}`] };
}

export function textAnswer(
  method: string,
  status: number,
  sentence: string,
  { policy }: Pick<Representation, 'policy'>,
): FileAnswer {
  const text = Buffer.from(`${sentence}\n`);
  const headers = [...policy, 'Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(text.length)];
  return { status, headers, pieces: method === 'HEAD' ? [] : [text], sendsFirstByte: false };
}

/** How many bytes a piece sends. */
export const lengthOf = (piece: Piece): number => (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start + 1);

export const bodyLength = ({ pieces }: FileAnswer): number => pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);

const aboutBytes = (what: Representation): HeaderList => [...validatorsOf(what), ...what.headers];

const validatorsOf = ({ policy, etag, lastModified }: Representation): HeaderList => [
  ...policy,
  'Accept-Ranges',
  'bytes',
  'ETag',
  etag,
  'Last-Modified',
  formatHttpDate(lastModified),
];

const contentRange = ({ start, end }: ByteRange, { size }: Representation): string => `bytes ${start}-${end}/${size}`;
