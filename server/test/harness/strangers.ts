/** Clients that hold a connection as long as they can, each in one way and from an address of its own. */
import { connect, type Socket } from 'node:net';
import { calls } from '@holdfast/contract/src/calls.ts';

export interface Target {
  readonly port: number;
  /** Path of a file of some megabytes. */
  readonly file: string;
  readonly apiKey: string;
}

type Hold = (socket: Socket, target: Target) => void;

/** Sends the start at once, and one byte more every few seconds. */
function drip(socket: Socket, start: string, more: string): void {
  socket.resume().write(start);
  const timer = setInterval(() => socket.write(more), 4_000);
  socket.once('close', () => clearInterval(timer));
}

const post = (path: string, type: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:3000\r\nContent-Type: ${type}\r\nContent-Length: 60000\r\n${headers}\r\n`;

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost:3000\r\n${headers}\r\n`;

const form = 'multipart/form-data; boundary=b';
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const manyRanges = Array.from({ length: 5 }, (_, at) => `${at * 1_000_000}-${at * 1_000_000 + 900_000}`).join(',');

export const kinds = {
  'slow headers': (socket) => drip(socket, 'GET / HTTP/1.1\r\nHost: localhost:3000\r\nX-Slow: ', 'a'),
  'slow sign-in': (socket) => drip(socket, `${post(calls.login.path, 'application/json')}{"email":"`, 'a'),
  'large sign-in that never ends': (socket) =>
    drip(socket, `${post(calls.login.path, 'application/json')}{"email":"${'a'.repeat(59_000)}`, 'a'),
  'slow upload': (socket, { apiKey }) =>
    drip(socket, post(calls.upload.path, form, `X-API-Key: ${apiKey}\r\n`) + part, 'a'),
  'slow upload without a key': (socket) => drip(socket, post(calls.upload.path, form) + part, 'a'),
  'slow body to a link': (socket, { file }) => drip(socket, post(file, 'text/plain'), 'a'),
  'reader that stops': (socket, { file }) => void socket.pause().write(get(file)),
  'reader of ranges that stops': (socket, { file }) =>
    void socket.pause().write(get(file, `Range: bytes=${manyRanges}\r\n`)),
  'reader of pages that stops': (socket) => void socket.pause().write(get('/openapi.json').repeat(4)),
  'idle after a response': (socket) => void socket.resume().write(get('/robots.txt')),
} as const satisfies Record<string, Hold>;

export type Kind = keyof typeof kinds;

/** Opens one connection and holds it. The number gives it its address. */
export function holdOpen(kind: Kind, at: number, target: Target): Promise<Socket> {
  const localAddress = `127.1.${at >> 7}.${1 + (at & 127)}`;
  return new Promise((resolve, reject) => {
    const socket = connect({ port: target.port, host: '127.0.0.1', localAddress });
    socket.once('error', reject).once('connect', () => {
      // The end that the server makes is what is measured.
      socket.off('error', reject).on('error', () => {});
      kinds[kind](socket, target);
      resolve(socket);
    });
  });
}
