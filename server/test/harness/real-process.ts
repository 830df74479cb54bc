/** The server as an operator runs it, in a process of its own that can be killed and started again on the same data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from './place.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

export interface Service extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** Set when the process has ended without `kill` or `stop`. */
  readonly fell: string | null;
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Milliseconds. A start takes a second or two; only a hang ends it, because a busy machine takes more than a minute. */
const patience = 170_000;

/** Starts the process and waits until it listens. Its log is appended to `server.log` beside the data. */
export async function startService(place: Place, environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const how = JSON.parse(await readFile(join(repository, 'server/process.json'), 'utf8')) as {
    readonly arguments: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  const log = await open(place.logPath, 'a');
  const child = spawn(process.execPath, [...how.arguments, join(repository, 'server/src/main.ts')], {
    cwd: place.folder,
    env: {
      ...programEnvironment,
      ...how.environment,
      ...place.environment,
      ...environment,
    },
    stdio: ['ignore', 'pipe', log.fd],
  });
  await log.close();
  let isExpected = false;
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const end = async (signal: NodeJS.Signals) => {
    isExpected = true;
    child.kill(signal);
    return (await ended)[0];
  };
  try {
    await untilListening(child);
  } catch (error) {
    await end('SIGKILL');
    throw new Error(`the server did not start: ${(await readFile(place.logPath, 'utf8')).slice(-2_000)}`, {
      cause: error,
    });
  }
  return {
    port: place.port,
    pid: child.pid ?? 0,
    get fell() {
      if (isExpected || (child.exitCode === null && child.signalCode === null)) return null;
      return `status ${child.exitCode}, signal ${child.signalCode}`;
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}

async function untilListening(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('the process has no standard output');
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  try {
    for await (const line of createInterface(child.stdout)) {
      if (!line.includes('is listening on')) continue;
      child.stdout.resume();
      return;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error('its output ended');
}
