import { connect } from 'node:net';

/** Statuses of all responses; `hung` when the connection was still open after the patience. */
export interface RawReply {
  readonly statuses: readonly number[];
  readonly isHung: boolean;
}

/** Milliseconds. Far beyond what an answer takes on a busy machine. */
const patience = 45_000;

/** Sends bytes on a connection of their own and ends it, as a client does that has said everything. */
export function sendRaw(port: number, bytes: Buffer): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    let isHung = false;
    socket.setTimeout(patience, () => {
      isHung = true;
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error);
    });
    socket.on('data', (chunk) => void chunks.push(chunk));
    socket.once('end', () => socket.end());
    socket.once('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), isHung });
    });
    socket.end(bytes);
  });
}
