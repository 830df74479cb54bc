import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The system hands over up to 2 MB of each connection in a row, while every other request waits. */
const mostInTurn = 256 * 1024;

/** The async iterator of a stream costs several times as much for each chunk. */
export function openBodyChunks(request: IncomingMessage) {
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
    /** @throws {Failure} UPLOAD_INTERRUPTED when the body ends too early. */
    async next(): Promise<Buffer | null> {
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
