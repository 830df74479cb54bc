/** Several servers on one database and storage, behind the nginx of the docs. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '@holdfast/test-support/free-ports.ts';
import { expect, onTestFinished } from 'vitest';
import { addUploaders, openPlace, type Place } from '../harness/place.ts';
import { type Service, startService } from '../harness/real-process.ts';
import { startSteadyCalls, type SteadyCalls } from '../harness/steady-calls.ts';
import { appHost, fileHost } from './proxy-in-front.ts';
import { type NginxInFront, settings, startNginx } from './start-nginx.ts';

/** Only a hang ends it: on a busy machine everything takes twenty times as long. */
export const patient = { timeout: 600_000 };

/** Places of nodes that share a database and a storage, as on one machine. */
export async function openNodes(
  count: number,
  databaseUrl: string | null = null,
  environment: Readonly<Record<string, string>> = {},
): Promise<Place[]> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-nodes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const shared = await openPlace(folder, databaseUrl, { ...settings, ...environment });
  const ports = await freePorts(count);
  return ports.map((port) => ({ ...shared, port, environment: { ...shared.environment, PORT: String(port) } }));
}

/** The documented nginx, with what docs/installation.md adds for several nodes. */
export async function startNginxFor(nodes: readonly Place[]): Promise<NginxInFront> {
  const [{ port, dataDir } = { port: 0, dataDir: '' }] = nodes;
  const servers = nodes.map((node) => `server 127.0.0.1:${node.port} fail_timeout=1s;`);
  const edit = (text: string) =>
    text
      .replace(`server 127.0.0.1:${port};`, ['hash $remote_addr$uri consistent;', ...servers].join(' '))
      .replace('proxy_buffering off;', 'proxy_buffering off; proxy_connect_timeout 2s;');
  return startNginx({ port, dataDir }, { edit });
}

export async function callThrough(nginx: NginxInFront, place: Place, clients = 16): Promise<SteadyCalls> {
  const front = {
    port: nginx.port,
    ca: await readFile(nginx.certificate),
    hosts: { app: appHost, file: fileHost },
  };
  const calls = startSteadyCalls(front, await addUploaders(place, clients));
  onTestFinished(() => calls.stop());
  return calls;
}

/** Waits for so many more downloads. */
export async function more(calls: SteadyCalls, downloads: number): Promise<void> {
  const before = calls.done.download;
  await expect.poll(() => calls.done.download - before, patient).toBeGreaterThan(downloads);
}

/** Stops each node as an update does, and starts it again, while others serve. */
export async function restartInTurn(nodes: readonly Place[], services: Service[], calls: SteadyCalls): Promise<void> {
  for (const [at, node] of nodes.entries()) {
    await more(calls, 200);
    expect(await services[at]?.stop()).toBe(0);
    services[at] = await startService(node);
    // nginx uses a node again a second after a connection was refused.
    await delay(2_000);
  }
  await more(calls, 200);
}
