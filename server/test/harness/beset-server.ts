/**
 * A process that starts the server in a network of its own, lets strangers hold as many connections as `STRANGERS` says
 * (a number for each kind, in JSON), uses the server beside them, and waits until the server has ended all of them. It
 * prints what it saw, in JSON.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { newAccountRows } from '@holdfast/test-support/account-rows.ts';
import { readConfig } from '../../src/config/read-environment.ts';
import { openContext } from '../../src/context.ts';
import { readTcpMemory } from '../../src/http/bytes/tcp-memory.ts';
import { goodPassword } from './accounts.ts';
import { holdOpen, type Kind } from './strangers.ts';
import { sendForm, formWith } from './uploads.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

/** Memory in bytes. */
export interface Siege {
  /** Requests of a normal client, those that failed, and the longest that one took, in milliseconds. */
  readonly requests: number;
  readonly failed: readonly string[];
  readonly longestMs: number;
  readonly rss: { readonly before: number; readonly most: number; readonly after: number };
  /** Of the whole machine. */
  readonly tcpMemory: { readonly before: number; readonly most: number };
  /** Unread content in the kernel, of this server. */
  readonly queued: { readonly most: number; readonly after: number };
  readonly descriptors: { readonly before: number; readonly after: number };
  /** Connections while all strangers hold theirs, and at the end. */
  readonly connections: { readonly most: number; readonly after: number };
  readonly seconds: number;
  /** What the server wrote to its log when it started. */
  readonly log: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const how = JSON.parse(readFileSync(join(root, 'server/process.json'), 'utf8')) as {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};
const longestSiegeMs = 150_000;

const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-siege-'));
const port = 3_000;
const url = `http://localhost:${port}`;
const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, CAPTCHA: 'none' };
const apiKey = await addAccount();
const child = spawn(process.execPath, [...how.arguments, join(root, 'server/src/main.ts')], {
  // As `npm start` does it, with the compiled code of earlier starts.
  env: {
    ...programEnvironment,
    ...how.environment,
    ...settings,
  },
  cwd: dataDir,
  stdio: ['ignore', 'pipe', 'pipe'],
});
let log = '';
child.stderr.on('data', (chunk: Buffer) => (log += String(chunk)));
await once(child.stdout, 'data');
const upload = await sendForm({ url }, { apiKey }, formWith(new Uint8Array(randomBytes(30_000_000)), 'a.zip'));
const file = new URL(upload.url).pathname;

const before = measure();
const seen = { rss: 0, tcpMemory: 0, queued: 0, connections: 0 };
const over = new AbortController();
const normal = useServer(over.signal);
const start = performance.now();
let number = 0;
for (const [kind, count] of Object.entries(JSON.parse(process.env['STRANGERS'] ?? '{}') as Record<Kind, number>))
  for (let opened = 0; opened < count; opened += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, count - opened) }, () =>
        holdOpen(kind as Kind, (number += 1), { port, file, apiKey }),
      ),
    );
while (performance.now() - start < longestSiegeMs) {
  await setTimeout(500);
  const now = measure();
  for (const name of ['rss', 'tcpMemory', 'queued', 'connections'] as const)
    seen[name] = Math.max(seen[name], now[name]);
  // Those of the normal client are closed after each request.
  if (now.connections <= 2) break;
}
over.abort();
const use = await normal;
await setTimeout(1_000);
const after = measure();
console.log(
  JSON.stringify({
    ...use,
    rss: { before: before.rss, most: seen.rss, after: after.rss },
    tcpMemory: { before: before.tcpMemory, most: seen.tcpMemory },
    queued: { most: seen.queued, after: after.queued },
    descriptors: { before: before.descriptors, after: after.descriptors },
    connections: { most: seen.connections, after: after.connections },
    seconds: Math.round((performance.now() - start) / 1_000),
    log,
  } satisfies Siege),
);
child.kill('SIGKILL');
await once(child, 'exit');
await rm(dataDir, { recursive: true, force: true });
process.exit();

async function addAccount(): Promise<string> {
  await using context = await openContext(readConfig(settings), pino({ enabled: false }));
  const rows = await newAccountRows({
    email: 'ada@example.com',
    password: goodPassword,
    plan: 'power',
    now: Date.now(),
    secret: context.secret,
  });
  await context.db.insertInto('accounts').values(rows.account).execute();
  return rows.apiKey;
}

async function useServer(signal: AbortSignal) {
  const failed: string[] = [];
  let requests = 0;
  let longestMs = 0;
  while (!signal.aborted) {
    for (const [path, headers] of [
      ['/', {}],
      [file, { Range: 'bytes=0-99999' }],
      ['/api/v3/session/server-info', {}],
    ] as const) {
      const began = performance.now();
      const outcome = await fetch(url + path, { headers: { ...headers, Connection: 'close' } })
        .then(async (answer) => [answer.status, (await answer.arrayBuffer()).byteLength > 0])
        .catch((error: unknown) => [String(error), false]);
      if (!outcome[1] || Number(outcome[0]) >= 300) failed.push(`${path}: ${String(outcome[0])}`);
      longestMs = Math.max(longestMs, performance.now() - began);
      requests += 1;
    }
    await setTimeout(500);
  }
  return { requests, failed, longestMs };
}

function measure() {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const own = lines.map((line) => line.trim().split(/\s+/)).filter(([, address]) => address?.endsWith(local));
  // Without the one that listens (0A) and those that are only remembered (06).
  const open = own.filter(([, , , state]) => state !== '0A' && state !== '06');
  return {
    rss: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    tcpMemory: readTcpMemory() ?? 0,
    queued: open.reduce((sum, [, , , , queues = '']) => sum + Number.parseInt(queues, 16), 0),
    connections: open.length,
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
  };
}
