import type { ServerResponse } from 'node:http';
import type { LinkContext } from '../context.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { BlobMissing } from '../storage/blobs/blobs.ts';
import { type FileResponse, lengthOf, type Piece } from './file-response.ts';
import type { PublicFile } from './look-up.ts';
import type { ByteRange } from './ranges.ts';

export interface ByteSource {
  open(range: ByteRange): Promise<RangeReader>;
}

interface RangeReader extends AsyncDisposable {
  read(into: Uint8Array): Promise<number>;
}

export interface Pace {
  /** Calls `grant` once, possibly before it returns. The returned function leaves the queue. */
  queue(wanted: number, grant: (bytes: number) => void): () => void;
  giveBack(bytes: number): void;
}

export interface Sending {
  readonly source: ByteSource;
  readonly pace: Pace | null;
  readonly onStart: () => void;
}

export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('The client is gone');
  }
}

/** A thousand clients that start together would otherwise hold a thousand buffers. */
const readSemaphore = createSemaphore(64);

/**
 * @throws any error of the source: before the headers when nothing could be read, after them otherwise. The caller then
 * resets the connection.
 * @throws {ClientGone}
 */
export async function sendResponse(
  response: ServerResponse,
  { status, headers, pieces }: FileResponse,
  { source, pace, onStart }: Sending,
): Promise<void> {
  const start = () => {
    response.writeHead(status, headers as string[]);
    onStart();
  };
  using connection = openConnection(response);
  const send = (bytes: Uint8Array) => {
    if (!response.headersSent) start();
    return connection.write(bytes);
  };
  const sendRange = async (range: ByteRange) => {
    await using reader = await source.open(range);
    for (let left = lengthOf(range); left > 0;) {
      const wanted = Math.min(left, largestPiece());
      const bytes = pace ? await connection.granted(pace, wanted) : wanted;
      let unsent = bytes;
      try {
        const [buffer, count] = await readSemaphore(() => readNext(reader, bytes));
        if (!connection.isGone()) unsent -= count;
        await sendBuffer(buffer, count, send);
        left -= count;
      } finally {
        if (unsent > 0) pace?.giveBack(unsent);
      }
    }
  };
  await connection.turn();
  await checkFirstRange(pieces, source);
  for (const piece of pieces) {
    if (!Buffer.isBuffer(piece)) await sendRange(piece);
    else if (!(await send(piece))) throw new ClientGone();
  }
  if (!response.headersSent) start();
  response.end();
}

/** A multipart frame must not promise missing bytes. */
async function checkFirstRange([first, second]: readonly Piece[], source: ByteSource): Promise<void> {
  if (!Buffer.isBuffer(first) || second === undefined || Buffer.isBuffer(second)) return;
  await (await source.open(second))[Symbol.asyncDispose]();
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

async function sendBuffer(buffer: Buffer, count: number, send: (bytes: Uint8Array) => Promise<boolean>): Promise<void> {
  let isTaken: boolean;
  try {
    isTaken = await send(buffer.subarray(0, count));
  } catch (error) {
    // The connection may still be using it.
    dropBuffer(buffer);
    throw error;
  }
  returnBuffer(buffer);
  if (!isTaken) throw new ClientGone();
}

/** A response that waits behind another gets no event when the connection closes, so this watches the socket. */
function openConnection(response: ServerResponse) {
  const { socket } = response.req;
  // Fields instead of closures: a thousand slow downloads wait thousands of times a second.
  let reject: ((reason: Error) => void) | null = null;
  let stop: (() => void) | null = null;
  const onClose = () => {
    stop?.();
    reject?.(new ClientGone());
  };
  const wait = <T = void>(start: (resolve: (value: T) => void) => (() => void) | null) =>
    new Promise<T>((resolve, rejectWait) => {
      if (socket.destroyed) return rejectWait(new ClientGone());
      reject = rejectWait;
      stop = start(resolve);
    });
  socket.once('close', onClose);
  return {
    turn: () =>
      wait((resolve) => {
        if (response.socket) resolve();
        else response.once('socket', resolve);
        return () => response.off('socket', resolve);
      }),
    /** Resolves when the buffer is free again. */
    write: (bytes: Uint8Array) =>
      wait<boolean>((resolve) => {
        response.write(bytes, (error) => resolve(!error));
        return null;
      }),
    granted: (pace: Pace, wanted: number) => wait<number>((resolve) => pace.queue(wanted, resolve)),
    isGone: () => socket.destroyed,
    [Symbol.dispose]: () => void socket.off('close', onClose),
  };
}

const nothing = Buffer.alloc(0);

export function sendFromMemory(
  response: ServerResponse,
  { status, headers, pieces }: FileResponse,
  bytes: Buffer = nothing,
): void {
  response.writeHead(status, headers as string[]);
  const chunks = pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : bytes.subarray(piece.start, piece.end + 1)));
  response.end(chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? nothing));
}

type Stored = Pick<PublicFile, 'blobId' | 'size'>;

/** A blob whose size differs from the file's row counts as missing. */
export const storedBytes = ({ blobs }: Pick<LinkContext, 'blobs'>, { blobId, size }: Stored): ByteSource => ({
  async open({ start, end }) {
    const reader = await blobs.open(blobId, start, end);
    if (reader.size === size) return reader;
    await reader[Symbol.asyncDispose]();
    throw new BlobMissing(blobId);
  },
});

export async function checkStored({ blobs }: Pick<LinkContext, 'blobs'>, { blobId, size }: Stored): Promise<void> {
  if (size > 0 && (await blobs.size(blobId)) !== size) throw new BlobMissing(blobId);
}

export const repeatedBytes = (block: Buffer): ByteSource => ({
  async open({ start: position }) {
    return {
      async read(into) {
        const count = block.copy(into, 0, position % block.length);
        position += count;
        return count;
      },
      async [Symbol.asyncDispose]() {},
    };
  },
});

/** Borrowed for one read and one write. */
const bufferSizes = [16, 64, 128, 256].map((each) => each * 1024);
const [smallestBuffer = 0, smallBuffer = 0, , largestBuffer = 0] = bufferSizes;
const idleBytesKept = 4 * 1024 * 1024;
/** Bytes lent to slow clients, above which new pieces are smaller. */
const plenty = { small: 8 * 1024 * 1024, smallest: 16 * 1024 * 1024 };

const idleBuffers = new Map<number, Buffer[]>(bufferSizes.map((size) => [size, []]));
let lent = 0;

/** Nobody waits for another's buffer: clients that do not read would block all others. */
const largestPiece = (): number =>
  lent < plenty.small ? largestBuffer : lent < plenty.smallest ? smallBuffer : smallestBuffer;

function borrowBuffer(bytes: number): Buffer {
  const size = bufferSizes.find((each) => each >= bytes) ?? largestBuffer;
  lent += size;
  return idleBuffers.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

function returnBuffer(buffer: Buffer): void {
  lent -= buffer.length;
  const shelf = idleBuffers.get(buffer.length);
  if (shelf && shelf.length < idleBytesKept / buffer.length) shelf.push(buffer);
}

function dropBuffer(buffer: Buffer): void {
  lent -= buffer.length;
}
