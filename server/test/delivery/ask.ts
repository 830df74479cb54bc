import { once } from 'node:events';
import type { Front } from './front.ts';

export interface Asked {
  readonly method?: string;
  /** The request target as it goes over the wire. */
  readonly target: string;
  /** Lines as they go over the wire, so that a header can be sent twice. */
  readonly headers?: readonly string[];
}

export interface Told {
  readonly status: number;
  /** Every line in its order, names in lower case; a repeated header is listed as often as it occurs. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Sends a handwritten request on its own connection: nothing is added, joined, followed or decoded. */
export async function ask(front: Front, { method = 'GET', target, headers = [] }: Asked): Promise<Told> {
  const socket = await front.connect();
  socket.on('error', () => {});
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${front.host}`, 'Connection: close', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return read(Buffer.concat(chunks));
}

function read(answer: Buffer): Told {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) throw new Error(`the connection ended in the middle of the headers: ${answer.toString('latin1')}`);
  const [first = '', ...lines] = answer.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^([^:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    return [name.toLowerCase(), value] as const;
  });
  return { status: Number(first.split(' ')[1]), headers, body: answer.subarray(end + 4) };
}

export const headerOf = (told: Told, name: string): string | undefined =>
  told.headers.find(([each]) => each === name)?.[1];
