import type { ServerResponse } from 'node:http';
import { whenAllowed } from './send-allowance.ts';

/** An outgoing response. Every wait on it rejects with `ClientGone` as soon as the client has disconnected. */
export interface ResponseWriter extends Disposable {
  /**
   * Resolves when the responses to earlier requests on the connection have been sent. No buffer should be held before
   * that.
   */
  turn(): Promise<void>;
  /** Resolves when the kernel has taken the bytes and their buffer is free again. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when this number of bytes may be written, so far as the client took what was written before. */
  allowance(bytes: number): Promise<void>;
  /** Resolves with the value that `start` passes to its callback. `start` returns a function that cancels the wait. */
  pause<T>(start: (resume: (value: T) => void) => () => void): Promise<T>;
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
  let giveUp: ((reason: ClientGone) => void) | null = null;
  const onClose = () => giveUp?.(new ClientGone());
  const wait = <T = void>(
    start: (resolve: (value: T) => void, reject: (reason: Error) => void) => (() => void) | void,
  ) =>
    new Promise<T>((resolve, reject) => {
      if (socket.destroyed) return reject(new ClientGone());
      const stop = start(resolve, reject);
      giveUp = (reason) => {
        stop?.();
        reject(reason);
      };
    });
  socket.once('close', onClose);
  return {
    turn: () =>
      wait((resolve) => {
        if (response.socket) return resolve();
        response.once('socket', resolve);
        return () => response.off('socket', resolve);
      }),
    write: (bytes) =>
      wait((resolve, reject) => {
        response.write(bytes, (error) => (error ? reject(new ClientGone()) : resolve()));
      }),
    allowance: (bytes) => wait((resolve) => whenAllowed(socket, bytes, resolve)),
    pause: (start) => wait((resolve) => start(resolve)),
    isGone: () => socket.destroyed,
    [Symbol.dispose]: () => void socket.off('close', onClose),
  };
}
