/**
 * Runs in a worker thread: sessions that each repeat one call, 16 at once, as fast as the server lets them, until told to
 * stop.
 * Posts how many responses each status had.
 */
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, cookies } = workerData;
const lanes = 16;
const agent = new Agent({ keepAlive: true });
let statuses = {};
let path = '';

parentPort.on('message', (next) => {
  parentPort.postMessage(statuses, []);
  statuses = {};
  path = next;
});

for (const cookie of cookies) for (let lane = 0; lane < lanes; lane += 1) void attack(cookie);

async function attack(cookie) {
  for (;;) {
    const status = path === '' ? 0 : await get(path, cookie);
    if (status > 0) statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200) await setTimeout(250);
  }
}

function get(asked, Cookie) {
  const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin' };
  return new Promise((resolve) => {
    request(`${url}${asked}`, { agent, headers }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode));
    })
      .on('error', () => resolve(-1))
      .end();
  });
}
