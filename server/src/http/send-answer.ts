import type { ServerResponse } from 'node:http';
import { createGate } from '../lib/gate.ts';
import { borrowBuffer, dropBuffer, largestPiece, returnBuffer } from './buffer-pool.ts';
import { type FileAnswer, lengthOf, type Piece } from './file-answer.ts';
import { openOutlet, type Outlet } from './outlet.ts';
import { createPieceSize } from './piece-size.ts';
import type { ByteRange } from './ranges.ts';
import { endWhenStalled } from './stall.ts';

/** Where the bytes of ranges come from. */
export interface ByteSource {
  /**
   * Ready to read one range in order. Rejects when the bytes are not there, or not as many as there should be, before
   * any of them is sent.
   */
  open(range: ByteRange): Promise<RangeReader>;
}

export interface RangeReader extends AsyncDisposable {
  /** Puts the next bytes at the start of `into` and answers how many. Rejects when there are no more. */
  read(into: Uint8Array): Promise<number>;
}

/** The speed of a response. */
export interface Pace {
  /**
   * Queues for the next piece, of `wanted` bytes at the most, and calls `grant` once with its size, perhaps before it
   * returns. The returned function leaves the queue; after the grant it does nothing.
   */
  queue(wanted: number, grant: (bytes: number) => void): () => void;
  /** Bytes that were granted and not sent. */
  giveBack(bytes: number): void;
}

export interface Sending {
  readonly source: ByteSource;
  /** Null sends as fast as the client takes it. */
  readonly pace: Pace | null;
  /** Called once, when the headers and the first bytes are handed to the connection. */
  readonly onStart: () => void;
}

const stallMs = 60_000;
/**
 * Reads under way at the same time. The system works on a few at once; the others would only hold their buffers, and
 * a thousand clients that begin together would need a thousand of them.
 */
const readGate = createGate(64);

/**
 * Sends headers and pieces with one borrowed buffer, filled again when the socket has drained. Resolves when all is
 * handed to the connection.
 * @throws whatever the source throws: before the headers when nothing could be read, after them otherwise.
 * @throws {ClientGone} when the client went away, or took nothing for a minute.
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: FileAnswer,
  { source, pace, onStart }: Sending,
  stalledAfterMs = stallMs,
): Promise<void> {
  const start = () => {
    response.writeHead(answer.status, answer.headers as string[]);
    onStart();
  };
  using outlet = openOutlet(response, stalledAfterMs);
  await outlet.turn();
  await checkFirstRange(answer.pieces, source);
  const sendChunk = async (bytes: Uint8Array) => {
    if (!response.headersSent) start();
    await outlet.write(bytes);
  };
  for (const piece of answer.pieces) await sendPiece(piece, source, pace, outlet, sendChunk);
  if (!response.headersSent) start();
  response.end();
}

/** Where a frame comes before the bytes, whether they are there has to be known before it is sent. */
async function checkFirstRange([first, second]: readonly Piece[], source: ByteSource): Promise<void> {
  if (!Buffer.isBuffer(first) || second === undefined || Buffer.isBuffer(second)) return;
  await (await source.open(second))[Symbol.asyncDispose]();
}

async function sendPiece(
  piece: Piece,
  source: ByteSource,
  pace: Pace | null,
  outlet: Outlet,
  sendChunk: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  if (Buffer.isBuffer(piece)) return sendChunk(piece);
  await using reader = await source.open(piece);
  const size = createPieceSize(lengthOf(piece));
  for (let left = lengthOf(piece); left > 0;) {
    const wanted = Math.min(left, largestPiece());
    const bytes = pace
      ? await outlet.pause<number>((grant) => pace.queue(wanted, grant))
      : Math.min(wanted, size.bytes);
    let unsent = bytes;
    try {
      const [buffer, count] = await readGate(() => readNext(reader, bytes));
      if (!outlet.isGone()) unsent -= count;
      await sendBuffer(buffer, count, sendChunk);
      left -= count;
      size.sent(count);
    } finally {
      if (unsent > 0) pace?.giveBack(unsent);
    }
  }
}

async function readNext(reader: RangeReader, bytes: number): Promise<[Buffer, number]> {
  const buffer = borrowBuffer(bytes);
  try {
    return [buffer, await reader.read(buffer.subarray(0, bytes))];
  } catch (error) {
    dropBuffer(buffer);
    throw error;
  }
}

async function sendBuffer(buffer: Buffer, count: number, send: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  try {
    await send(buffer.subarray(0, count));
  } catch (error) {
    // The connection may still hold it.
    dropBuffer(buffer);
    throw error;
  }
  returnBuffer(buffer);
}

/** The same for an answer of texts only, or for bytes that are in memory and may go at once. */
export function sendFromMemory(response: ServerResponse, answer: FileAnswer, bytes?: Buffer): void {
  endWhenStalled(response, stallMs);
  response.writeHead(answer.status, answer.headers as string[]);
  const chunks = answer.pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : part(piece, bytes)));
  response.end(chunks.length > 1 ? Buffer.concat(chunks) : chunks[0]);
}

const part = ({ start, end }: ByteRange, bytes: Buffer = Buffer.alloc(0)) => bytes.subarray(start, end + 1);
