/** A stop as clients see it: a load balancer that checks readiness, and clients that keep their connections. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

async function startProcess(environment: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-stop-'));
  const settings = { DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0', TRUST_PROXY: '127.0.0.1', ...environment };
  const env = { ...programEnvironment, ...settings };
  const child = spawn(process.execPath, [entry], { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(([code]: unknown[]) => code);
  const first = (from: Readable) => once(from, 'data').then(([data]) => String(data));
  const [line, address] = await Promise.all([first(child.stderr), first(child.stdout)]);
  return {
    child,
    ended,
    port: Number(/:(\d+)\n/.exec(address)?.[1]),
    readyUrl: `${(JSON.parse(line) as { url: string }).url}/readyz`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the status of a call on a kept-alive connection, or the code of its failure. */
async function call(port: number, agent: Agent, from: string): Promise<unknown> {
  try {
    const headers = { 'X-Forwarded-For': from };
    const request = get({ host: '127.0.0.1', port, path: '/api/v3/session/server-info', headers, agent });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await text(answer);
    return answer.statusCode;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

test('no call of a client that heeds readiness is refused while the process stops', async () => {
  await using started = await startProcess({ SHUTDOWN_DELAY: '10' });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const outcomes: Record<string, number> = {};
  const balancer = { sends: true };
  const callWhileSent = async (client: number) => {
    for (let turn = 0; balancer.sends; turn += 1) {
      const outcome = await call(started.port, agent, `10.${client}.${(turn >> 8) & 255}.${turn & 255}`);
      outcomes[String(outcome)] = (outcomes[String(outcome)] ?? 0) + 1;
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, (_, client) => callWhileSent(client)));
  await expect.poll(() => outcomes['200'] ?? 0).toBeGreaterThan(100);
  expect((await fetch(started.readyUrl)).status).toBe(200);
  started.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(started.readyUrl)).text()).toBe('stopping\n');
  // The load balancer notices a little later; until then it sends calls.
  const noticed = outcomes['200'] ?? 0;
  await expect.poll(() => outcomes['200'] ?? 0).toBeGreaterThan(noticed + 20);
  balancer.sends = false;
  await clients;
  expect(Object.keys(outcomes)).toEqual(['200']);
  expect(await started.ended).toBe(0);
  agent.destroy();
});

test('SIGHUP ends no process that serves alone, and its log names the setting', async () => {
  await using started = await startProcess({});
  started.child.kill('SIGHUP');
  const [line] = (await once(started.child.stderr, 'data')) as [Buffer];
  expect(line.toString()).toContain('set WORKERS');
  expect(await call(started.port, new Agent(), '10.0.0.1')).toBe(200);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});
