/** Faults in the system calls of a running process, by strace. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';

export interface Injection {
  /** System calls that suffer it, separated by commas. */
  readonly calls: string;
  /** Restricts it to calls that name this path, or a descriptor of it. */
  readonly path?: string;
  /** What happens to them, in strace's words, such as `error=EIO:when=1`. Counts are for each thread. */
  readonly fault: string;
}

/** Returns why there can be no injection, or null. */
export function strace(): string | null {
  if (process.platform !== 'linux') return 'strace needs Linux';
  const { status } = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']);
  return status === 0 ? null : 'strace is not installed, or may not trace';
}

/** Injects until it is disposed of. A process that the fault kills ends the injection too. */
export async function inject(pid: number, { calls, path, fault }: Injection): Promise<AsyncDisposable> {
  const only = path === undefined ? [] : ['-P', path];
  const arguments_ = ['-f', '-p', String(pid), ...only, '-e', `trace=${calls}`, '-e', `inject=${calls}:${fault}`];
  const tracer = spawn('strace', ['-o', '/dev/null', ...arguments_], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(tracer, 'exit');
  const lines = createInterface(tracer.stderr);
  let isAttached = false;
  for await (const line of lines) {
    isAttached = line.includes('attached');
    if (isAttached) break;
  }
  if (!isAttached) throw new Error(`strace could not attach: ${await text(tracer.stderr)}`);
  tracer.stderr.resume();
  return {
    async [Symbol.asyncDispose]() {
      tracer.kill('SIGINT');
      // strace 6.1 sometimes waits forever for the threads of a process that it has killed.
      const timer = setTimeout(() => tracer.kill('SIGKILL'), 1_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
