import type { ServerResponse } from 'node:http';
import { countSent, isCrowded, whenAllowed } from './send-allowance.ts';

/** The speed limit of a response. */
export interface Pace {
  /**
   * Queues for the next piece of up to `wanted` bytes and calls `grant` once with its size, possibly before it returns.
   * A response queues for one piece at a time.
   * The returned function leaves the queue; after the grant it does nothing.
   */
  queue(wanted: number, grant: (bytes: number) => void): () => void;
  /** Returns bytes that were granted and not sent. */
  giveBack(bytes: number): void;
}

/** An outgoing response. Every wait on it rejects with `ClientGone` as soon as the client has disconnected. */
export interface ResponseWriter extends Disposable {
  /**
   * Resolves when the responses to earlier requests on the connection have been sent. No buffer should be held before
   * that.
   */
  turn(): Promise<void>;
  /**
   * Resolves when their buffer is free again, to whether the kernel has taken the bytes. If it rejects, the buffer may
   * still be in use.
   */
  write(bytes: Uint8Array): Promise<boolean>;
  /**
   * Resolves when this number of bytes may be written, so far as the client took what was written before. Returns null
   * if they may be written now.
   */
  allowance(bytes: number): Promise<void> | null;
  /** Resolves with the number of bytes that the pace grants. */
  granted(pace: Pace, wanted: number): Promise<number>;
  /** Returns whether the client has disconnected. */
  isGone(): boolean;
}

export class ClientGone extends Error {
  constructor() {
    super('The client is gone');
    this.name = 'ClientGone';
  }
}

/**
 * A response that waits behind another on its connection gets no event when the connection closes, so this watches the
 * socket itself.
 */
export function openResponseWriter(response: ServerResponse): ResponseWriter {
  const { socket } = response.req;
  // Fields instead of closures: a thousand slow downloads wait thousands of times a second, and what is alive during a
  // wait outlives the collections of young objects.
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
    write: (bytes) =>
      wait<boolean>((resolve) => {
        response.write(bytes, (error) => resolve(!error));
        return null;
      }),
    allowance(bytes) {
      if (isCrowded()) {
        return wait((resolve) => {
          whenAllowed(socket, bytes, resolve);
          return null;
        });
      }
      countSent(bytes);
      return null;
    },
    granted: (pace, wanted) => wait((resolve) => pace.queue(wanted, resolve)),
    isGone: () => socket.destroyed,
    [Symbol.dispose]: () => void socket.off('close', onClose),
  };
}
