/**
 * Requests one URL at a fixed rate, however long the responses take: a slow response delays no later request, as with
 * clients that know nothing of each other. `OpenLoopOrders` → `OpenLoopAnswer`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';
import type { OpenLoopAnswer, OpenLoopOrders } from './open-loop.ts';

const { url: address, requestsPerSecond, seconds, size } = JSON.parse(process.argv[2] ?? '') as OpenLoopOrders;
const url = new URL(address);
const request = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
const idle: Connection[] = await Promise.all(Array.from({ length: 8 }, () => openConnection(url)));

const start = performance.now();
const running: Promise<number>[] = [];
for (let at = 0; at < requestsPerSecond * seconds; at += 1) {
  const due = start + (at * 1000) / requestsPerSecond;
  const early = due - performance.now();
  if (early > 0) await delay(early);
  running.push(measure(due));
}
const answer: OpenLoopAnswer = { latencies: await Promise.all(running) };
process.stdout.write(JSON.stringify(answer), () => process.exit());

async function measure(due: number): Promise<number> {
  const connection = idle.pop() ?? (await openConnection(url));
  const { status, body } = await connection.send(request);
  const took = performance.now() - due;
  idle.push(connection);
  if (status !== 200 || body.length !== size)
    throw new Error(`${address} answered ${status} with ${body.length} bytes`);
  return took;
}
