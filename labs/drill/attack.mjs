/**
 * Runs in a worker thread: sessions that each repeat one call, 16 at once, as fast as the server lets them, until told to
 * stop. They come from one address, or each call from another one.
 * Posts how many responses each status had.
 */
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, cookies } = workerData;
const lanes = 16;
const agent = new Agent({ keepAlive: true });
let statuses = {};
let attack = null;
let calls = 0;

parentPort.on('message', (next) => {
  parentPort.postMessage(statuses, []);
  statuses = {};
  attack = next;
});

for (const cookie of cookies) for (let lane = 0; lane < lanes; lane += 1) void repeat(cookie);

async function repeat(cookie) {
  for (;;) {
    const status = attack === null ? 0 : await send(attack, cookie);
    if (status > 0) statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200) await setTimeout(250);
  }
}

function send({ path, method = 'GET', body, wanders = false }, Cookie) {
  calls += 1;
  const headers = {
    Cookie,
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': `203.0.113.${wanders ? calls % 250 : 0}`,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve) => {
    request(`${url}${path}`, { method, agent, headers }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode));
    })
      .on('error', () => resolve(-1))
      .end(body);
  });
}
