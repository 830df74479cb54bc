import { Counter, type Registry } from '@prometheus-io/client';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isPrivatePort } from '../http/private-port.ts';

const accepted = 'net.server.socket';

/** Counts what this process writes to its clients, without a line in the code that sends. */
export function countSentBytes(register: Registry): Disposable & { readonly update: () => void } {
  const counter = new Counter({
    name: 'holdfast_sent_bytes_total',
    help: 'Bytes that this process has written to its clients.',
    registers: [register],
  });
  const open = new Set<Socket>();
  let ofClosed = 0;
  const onAccepted = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket & { readonly server?: unknown } };
    if (socket.server instanceof Server && isPrivatePort(socket.server)) return;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      ofClosed += socket.bytesWritten;
    });
  };
  subscribe(accepted, onAccepted);
  return {
    update() {
      counter.reset();
      counter.inc([...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, ofClosed));
    },
    [Symbol.dispose]: () => void unsubscribe(accepted, onAccepted),
  };
}
