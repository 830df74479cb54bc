import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a port of this machine, as a phone in a tunnel has it. */
export interface BreakingLine extends AsyncDisposable {
  readonly port: number;
  /** Resolves when so many more bytes were sent to the server, and every connection has broken. New ones break too. */
  breakAfter(bytes: number): Promise<void>;
  mend(): void;
}

export async function openBreakingLine(to: number): Promise<BreakingLine> {
  const open = new Set<Socket>();
  let isBroken = false;
  let left = Infinity;
  let broken = Promise.withResolvers<void>();
  const breakNow = () => {
    isBroken = true;
    left = Infinity;
    for (const socket of open) socket.resetAndDestroy();
    broken.resolve();
  };
  const server = createServer((near) => {
    if (isBroken) return void near.resetAndDestroy();
    const far = connect(to, '127.0.0.1');
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => (open.delete(socket), end()));
    }
    near.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left <= 0) breakNow();
    });
    near.pipe(far);
    far.pipe(near);
    return undefined;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    breakAfter(bytes) {
      broken = Promise.withResolvers();
      left = bytes;
      return broken.promise;
    },
    mend: () => (isBroken = false),
    async [Symbol.asyncDispose]() {
      breakNow();
      await once(server.close(), 'close');
    },
  };
}
