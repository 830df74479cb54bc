import type { ServerResponse } from 'node:http';
import { endWhenStalled } from './stall.ts';

/** A response on its way out. Whatever waits here ends with `ClientGone` as soon as nobody is there to take it. */
export interface Outlet extends Disposable {
  /** Resolves when the answers to earlier requests on the connection are out: before that nothing should be held. */
  turn(): Promise<void>;
  /** Resolves when the bytes have left for the kernel and their buffer is free again. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves with what `start` calls back with. Until then nobody expects progress. `start` returns how to end it. */
  pause<T>(start: (resume: (value: T) => void) => () => void): Promise<T>;
  /** Whether nobody is there to take any more. */
  isGone(): boolean;
}

export class ClientGone extends Error {
  constructor() {
    super('The client is gone');
    this.name = 'ClientGone';
  }
}

/**
 * A response that waits behind another on its connection never hears that the connection closed, so the socket is
 * watched itself. `stallMs` without progress end the connection.
 */
export function openOutlet(response: ServerResponse, stallMs: number): Outlet {
  const { socket } = response.req;
  let giveUp: ((reason: ClientGone) => void) | null = null;
  let pausing = false;
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
  endWhenStalled(response, stallMs, () => pausing);
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
    pause: (start) =>
      wait((resolve) => {
        pausing = true;
        return start((value) => {
          pausing = false;
          resolve(value);
        });
      }),
    isGone: () => socket.destroyed,
    [Symbol.dispose]: () => void socket.off('close', onClose),
  };
}
