/**
 * Requests the digests of names in turn, at a fixed rate, until its standard input ends: a look-up like that of a
 * download, without its bytes. It prints a line when it starts, and then its answer. `LookUpOrders` → `LookUpAnswer`.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';
import type { LookUpAnswer, LookUpOrders } from './look-up-orders.ts';

const { url: address, paths: file, requestsPerSecond } = JSON.parse(process.argv[2] ?? '') as LookUpOrders;
const url = new URL(address);
const paths = readFileSync(file, 'utf8').split('\n');
const idle: Connection[] = await Promise.all(Array.from({ length: 8 }, () => openConnection(url)));

process.stdout.write('started\n');
const ended = new AbortController();
process.stdin.on('end', () => ended.abort()).resume();
const start = performance.now();
const running: Promise<number>[] = [];
for (let at = 0; !ended.signal.aborted; at += 1) {
  const due = start + (at * 1000) / requestsPerSecond;
  const early = due - performance.now();
  if (early > 0) await delay(early);
  running.push(measure(paths[at % paths.length] ?? '', due));
}
const answer: LookUpAnswer = { latencies: await Promise.all(running) };
process.stdout.write(JSON.stringify(answer), () => process.exit());

async function measure(path: string, due: number): Promise<number> {
  const connection = takeOpen() ?? (await openConnection(url));
  const { status, body } = await connection.send(
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`, 'latin1'),
  );
  const took = performance.now() - due;
  idle.push(connection);
  if (status !== 200 || body.length !== 64) throw new Error(`${path} answered ${status} with ${body.length} bytes`);
  return took;
}

function takeOpen(): Connection | undefined {
  for (let connection; (connection = idle.pop());) if (connection.isOpen()) return connection;
  return undefined;
}
