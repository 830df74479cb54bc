import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Refused } from './explain.ts';
import { commandIn, type Owner, run, runIn } from './run-program.ts';

/** Milliseconds for a start, whose migrations are done. */
const patience = 120_000;

/** A server of the copy must reach nobody, and needs no bytes. */
const elsewhere = [
  'BLOBS_URL',
  'DELIVERY',
  'MAIL_URL',
  'SCANNER_URL',
  'SENTRY_DSN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICES',
  'WORKERS',
  'WORKER_PORT',
];

const settingsFor = (folder: string): Readonly<Record<string, string>> => {
  const set = {
    ...Object.fromEntries(elsewhere.map((name) => [name, ''])),
    DATA_DIR: folder,
    DATABASE_URL: `sqlite:${join(folder, 'database.db')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: '0',
    SHUTDOWN_DELAY: '0',
  };
  return { ...set, ...Object.fromEntries(Object.keys(set).map((name) => [`${name}_FILE`, ''])) };
};

/**
 * Lets the program in a folder migrate a copy of the backup, and serve from it on loopback until it is ready.
 * @throws {Refused}
 */
export async function tryOnCopy(program: string, backup: string, folder: string, owner: Owner): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  try {
    await run('cp', ['-r', backup, folder], owner);
    const settings = settingsFor(folder);
    await runIn(program, ['migrate'], owner, settings);
    await runIn(program, ['storage', 'adopt', '--yes'], owner, settings);
    await untilReady(program, owner, settings);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function untilReady(program: string, owner: Owner, settings: Readonly<Record<string, string>>): Promise<void> {
  const [command, args, options] = commandIn(program, ['start'], owner, settings);
  const server = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'], timeout: patience });
  const ended = once(server, 'close');
  const log: string[] = [];
  try {
    for await (const line of createInterface(server.stderr)) {
      const privatePort = /"url":"(http:[^"]+)"/.exec(line)?.[1];
      if (privatePort !== undefined) return await requireReady(privatePort);
      log.push(line);
    }
    throw new Refused(`The new version does not start on a copy of the data: ${log.slice(-5).join('\n')}`);
  } finally {
    server.stderr.resume();
    server.kill();
    await ended;
  }
}

async function requireReady(privatePort: string): Promise<void> {
  const response = await fetch(`${privatePort}/readyz`);
  if (!response.ok) throw new Refused(`The new version is not ready on a copy of the data: ${await response.text()}`);
}
