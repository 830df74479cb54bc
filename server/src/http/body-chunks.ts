import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Bytes that a body may bring in one turn of the event loop, about. The system hands over up to 2 MB of each connection
 * in a row, so that with a few fast uploads every other request would wait for many milliseconds.
 */
const mostInTurn = 256 * 1024;

/** The body of a request, chunk by chunk, on demand. */
export interface BodyChunks extends Disposable {
  /**
   * Returns the next chunk, or null at the end of the body.
   * @throws {Failure} UPLOAD_INTERRUPTED when the body ends too early.
   */
  next(): Promise<Buffer | null>;
}

/**
 * Takes the chunks of a body from its events, because the async iterator of a stream costs several times as much for
 * each chunk. The request is paused while nobody waits for a chunk. Disposing leaves the rest of the body unread and the
 * connection open: it may still have to carry an error response.
 */
export function openBodyChunks(request: IncomingMessage): BodyChunks {
  const unread: Buffer[] = [];
  let end: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;
  let inTurn = 0;
  const onData = (chunk: Buffer) => {
    unread.push(chunk);
    inTurn += chunk.length;
    if (!wake) request.pause();
    wake?.();
    wake = null;
  };
  const stopWatching = finished(request, { writable: false }, (error) => {
    end = { error };
    wake?.();
  });
  request.on('data', onData);
  return {
    async next() {
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
      if (chunk) return chunk;
      if (end?.error) throw new Failure('UPLOAD_INTERRUPTED', undefined, { cause: end.error });
      return null;
    },
    [Symbol.dispose]() {
      request.pause().off('data', onData);
      stopWatching();
    },
  };
}
