/** The server as an operator runs it: its own process, with no overhead except measuring the event loop's delay. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endChild, firstLine, root, startChild } from './children.ts';
import { freePort } from '@holdfast/test-support/free-ports.ts';

export interface Holdfast extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Delay of its event loop since the previous call. */
  readonly loopDelay: () => Promise<LoopDelay>;
}

/** Environment variables that measure the event loop a thousand times a second, for goals of a few milliseconds. */
export const finestLoopClock = { BENCH_LOOP_RESOLUTION_MS: '1' } as const;

/** In milliseconds. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const how = JSON.parse(readFileSync(join(root, 'server/process.json'), 'utf8')) as {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};
const loopClock = pathToFileURL(join(root, 'labs/bench/harness/report-loop-delay.ts')).href;

/** Started again with the same folder, it is the same service with empty caches. */
export async function startHoldfast(dataDir: string, environment: Record<string, string> = {}): Promise<Holdfast> {
  await mkdir(dataDir, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, CAPTCHA: 'none' };
  const child = startChild(process.execPath, [...how.arguments, '--import', loopClock, 'server/src/main.ts'], {
    env: { ...how.environment, ...settings, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await firstLine(child, /(is listening on)/);
  return {
    url,
    port,
    pid: child.pid ?? 0,
    dataDir,
    async loopDelay() {
      const answer = once(child, 'message') as Promise<[LoopDelay]>;
      child.send('loop delay');
      return (await answer)[0];
    },
    [Symbol.asyncDispose]: () => endChild(child),
  };
}
