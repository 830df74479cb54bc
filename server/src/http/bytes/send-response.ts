import type { ServerResponse } from 'node:http';
import { createSemaphore } from '../../lib/semaphore.ts';
import { borrowBuffer, dropBuffer, largestPiece, returnBuffer } from './buffer-pool.ts';
import { type FileAnswer, lengthOf, type Piece } from './file-response.ts';
import { ClientGone, openResponseWriter, type Pace, type ResponseWriter } from './response-writer.ts';
import { createPieceSize } from './piece-size.ts';
import type { ByteRange } from './ranges.ts';
import { countSent, crowdedPiece, isCrowded } from './send-allowance.ts';

/** Source of byte ranges. */
export interface ByteSource {
  /**
   * Opens one range for reading in order. It rejects before any byte is sent if the bytes are missing or their number
   * is wrong.
   */
  open(range: ByteRange): Promise<RangeReader>;
}

export interface RangeReader extends AsyncDisposable {
  /** Writes the next bytes to the start of `into` and returns their count. It rejects when there are no more. */
  read(into: Uint8Array): Promise<number>;
}

export interface Sending {
  readonly source: ByteSource;
  /** Null sends as fast as the client reads. */
  readonly pace: Pace | null;
  /** Called once, when the headers and the first bytes are handed to the connection. */
  readonly onStart: () => void;
}

/** Writes bytes after the headers, see `ResponseWriter.write`. */
type SendChunk = ResponseWriter['write'];

/**
 * Limits concurrent reads. The system works on a few at once; the others would only hold buffers, and a thousand
 * clients that start together would need a thousand of them.
 */
const readSemaphore = createSemaphore(64);

/**
 * Sends headers and pieces with one borrowed buffer, which is refilled when the socket has drained. Resolves when
 * everything is handed to the connection.
 * @throws any error of the source: before the headers when nothing could be read, after them otherwise. The caller then
 * resets the connection (`delivery/serve-link.ts`), so that the client never takes a part for the whole.
 * @throws {ClientGone} when the client disconnected, or was too slow (see `endSlowReaders`).
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: FileAnswer,
  { source, pace, onStart }: Sending,
): Promise<void> {
  const start = () => {
    response.writeHead(answer.status, answer.headers as string[]);
    onStart();
  };
  using writer = openResponseWriter(response);
  await writer.turn();
  await checkFirstRange(answer.pieces, source);
  const sendChunk = (bytes: Uint8Array) => {
    if (!response.headersSent) start();
    return writer.write(bytes);
  };
  for (const piece of answer.pieces) await sendPiece(piece, source, pace, writer, sendChunk);
  if (!response.headersSent) start();
  response.end();
}

/** If a frame precedes the bytes, their presence must be checked before the frame is sent. */
async function checkFirstRange([first, second]: readonly Piece[], source: ByteSource): Promise<void> {
  if (!Buffer.isBuffer(first) || second === undefined || Buffer.isBuffer(second)) return;
  await (await source.open(second))[Symbol.asyncDispose]();
}

async function sendPiece(
  piece: Piece,
  source: ByteSource,
  pace: Pace | null,
  writer: ResponseWriter,
  sendChunk: SendChunk,
): Promise<void> {
  if (Buffer.isBuffer(piece)) return sendBytes(piece, sendChunk);
  await using reader = await source.open(piece);
  const size = createPieceSize();
  for (let left = lengthOf(piece); left > 0;) {
    const wanted = Math.min(left, isCrowded() ? crowdedPiece : largestPiece());
    const allowance = writer.allowance(wanted);
    if (allowance) await allowance;
    const bytes = pace ? await writer.granted(pace, wanted) : Math.min(wanted, size.bytes);
    const count = await sendNext(reader, bytes, pace, writer, sendChunk);
    left -= count;
    size.sent(count);
  }
}

/** Returns the number of bytes sent; the pace gets back what it granted beyond them. */
async function sendNext(
  reader: RangeReader,
  bytes: number,
  pace: Pace | null,
  writer: ResponseWriter,
  sendChunk: SendChunk,
): Promise<number> {
  let unsent = bytes;
  try {
    const [buffer, count] = await readSemaphore(() => readNext(reader, bytes));
    if (!writer.isGone()) unsent -= count;
    await sendBuffer(buffer, count, sendChunk);
    return count;
  } finally {
    if (unsent > 0) pace?.giveBack(unsent);
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

async function sendBuffer(buffer: Buffer, count: number, sendChunk: SendChunk): Promise<void> {
  let isTaken: boolean;
  try {
    isTaken = await sendChunk(buffer.subarray(0, count));
  } catch (error) {
    // The connection may still be using it.
    dropBuffer(buffer);
    throw error;
  }
  returnBuffer(buffer);
  if (!isTaken) throw new ClientGone();
}

async function sendBytes(bytes: Uint8Array, sendChunk: SendChunk): Promise<void> {
  if (!(await sendChunk(bytes))) throw new ClientGone();
}

/** Does the same for a response of texts only, or for bytes in memory without a speed limit. */
export function sendFromMemory(response: ServerResponse, answer: FileAnswer, bytes?: Buffer): void {
  response.writeHead(answer.status, answer.headers as string[]);
  const chunks = answer.pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : part(piece, bytes)));
  const body = chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? nothing);
  countSent(body.length);
  response.end(body);
}

const nothing = Buffer.alloc(0);

const part = ({ start, end }: ByteRange, bytes: Buffer = nothing) => bytes.subarray(start, end + 1);
