import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect, test } from 'vitest';
import { goodPassword } from '../harness/accounts.ts';
import { newTestPlace } from '../harness/new-place.ts';
import { startService } from '../harness/real-process.ts';

const hasFullDevice = existsSync('/dev/full');
const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

test.runIf(hasFullDevice)('a log that cannot be written neither ends nor hangs the process', async () => {
  const place = await newTestPlace();
  // The private port is a line of the log.
  await using service = await startService({ ...place, logPath: '/dev/full' }, { METRICS_PORT: '0' });
  expect((await fetch(`http://127.0.0.1:${place.port}/api/v3/session/server-info`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

test.runIf(hasFullDevice)('nor does standard output, to which the outbox prints a line for each email', async () => {
  const place = await newTestPlace();
  await using full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [entry], {
    cwd: place.folder,
    env: { ...programEnvironment, ...place.environment, SHUTDOWN_DELAY: '0' },
    stdio: ['ignore', full.fd, 'ignore'],
  });
  const ended = once(child, 'exit');
  const send = async (path: string, init?: RequestInit) =>
    (await fetch(`http://127.0.0.1:${place.port}${path}`, init).catch(() => null))?.status;
  await expect.poll(() => send('/api/v3/session/server-info'), { timeout: 60_000 }).toBe(200);
  const body = JSON.stringify({ email: 'ada@example.com', password: goodPassword, password2: goodPassword });
  const headers = { 'Content-Type': 'application/json' };
  expect(await send(endpoints.createAccount.path, { method: 'POST', headers, body })).toBe(200);
  await expect.poll(() => emailsIn(`${place.dataDir}/outbox`)).toHaveLength(1);
  expect(await send('/api/v3/session/server-info')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

const emailsIn = async (folder: string) => (existsSync(folder) ? readdir(folder) : []);
