import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage } from 'node:http';

/** Returns a signal that is aborted when the connection of the request closes. */
export function clientSignal({ socket }: IncomingMessage): AbortSignal {
  let signal = signalOf.get(socket);
  if (!signal) {
    const controller = new AbortController();
    const abort = () => controller.abort(new Failure('REQUEST_TIMEOUT', 'The client has closed the connection.'));
    if (socket.destroyed) abort();
    else socket.once('close', abort);
    signal = controller.signal;
    signalOf.set(socket, signal);
  }
  return signal;
}

/** One for each connection, whatever number of requests it carries. */
const signalOf = new WeakMap<IncomingMessage['socket'], AbortSignal>();
