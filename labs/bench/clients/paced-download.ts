/** One download on a bare socket, with the least work for each byte that still checks all of them. */
import { connect } from 'node:net';
import type { Expected } from './expected-bytes.ts';

export interface Connection {
  /** Each loopback address is a separate client. */
  readonly localAddress: string;
  /** First and last byte, or the whole file. */
  readonly range: readonly [number, number] | null;
}

export interface Watcher {
  readonly connected: () => void;
  readonly answered: (status: number) => void;
  /** Called with the number of body bytes that arrived. */
  readonly came: (bytes: number) => void;
  readonly ended: () => void;
}

// Reading from a socket and checking the data are one step, so all sockets share one buffer.
const buffer = Buffer.alloc(256 * 1024);
const endOfHead = Buffer.from('\r\n\r\n');

export function startDownload(url: URL, { localAddress, range }: Connection, expected: Expected, watch: Watcher): void {
  let head: Buffer | null = Buffer.alloc(0);
  let [position, end] = [0, 0];
  const took = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    expected.check(bytes, position);
    position += bytes.length;
    watch.came(bytes.length);
  };
  const read = (bytes: Buffer): void => {
    if (head === null) return took(bytes);
    head = Buffer.concat([head, bytes]);
    const headEnd = head.indexOf(endOfHead);
    if (headEnd === -1) return;
    const { status, start, length } = parseHead(head.toString('latin1', 0, headEnd));
    const rest = head.subarray(headEnd + endOfHead.length);
    [head, position, end] = [null, start, start + length];
    watch.answered(status);
    took(rest);
  };
  const socket = connect({
    host: url.hostname,
    port: Number(url.port),
    localAddress,
    onread: {
      buffer,
      callback(count) {
        read(buffer.subarray(0, count));
        return true;
      },
    },
  });
  const rangeLine = range ? `Range: bytes=${range[0]}-${range[1]}\r\n` : '';
  socket.once('connect', watch.connected);
  socket.once('close', () => {
    if (position !== end) throw new Error(`a download ended at ${position} instead of ${end}`);
    watch.ended();
  });
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n${rangeLine}\r\n`);
}

function parseHead(head: string): { status: number; start: number; length: number } {
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
  const [, start = '0'] = /^content-range: bytes (\d+)-/im.exec(head) ?? [];
  const [, length = ''] = /^content-length: (\d+)/im.exec(head) ?? [];
  return { status: Number(status), start: Number(start), length: Number(length) };
}
