import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ServerProcess extends AsyncDisposable {
  /** Its origin on loopback. Rejects when the process ends before it listens. */
  readonly listening: Promise<string>;
  readonly ended: Promise<number | null>;
  readonly hasEnded: boolean;
  readonly log: readonly string[];
  stop(): void;
}

/** The server as a process, in a new data folder unless `DATA_DIR` names one. */
export async function startServerProcess(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-process-'));
  const env = { ...programEnvironment, DATA_DIR: dataDir, PORT: '0', CAPTCHA: 'none', ...environment };
  const child = spawn(process.execPath, [entry], { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] });
  const log: string[] = [];
  createInterface(child.stderr).on('line', (line) => log.push(line));
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]: unknown[]) => {
    hasEnded = true;
    return code as number | null;
  });
  const listening = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) listening.resolve(url.replace('localhost', '127.0.0.1'));
  });
  void ended.then(() => listening.reject(new Error(`the server ended: ${log.join('\n')}`)));
  listening.promise.catch(() => {});
  return {
    listening: listening.promise,
    ended,
    get hasEnded() {
      return hasEnded;
    },
    log,
    stop: () => void child.kill('SIGTERM'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
