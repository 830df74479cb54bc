import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface RunningProgram extends AsyncDisposable {
  /** Resolves with the match of the first matching line. Rejects if the program exits first. */
  said(what: RegExp): Promise<RegExpExecArray>;
}

/** Starts a program that is stopped with the test. Its output is read, including descriptor 3. */
export function startProgram(name: string, args: readonly string[], environment: NodeJS.ProcessEnv): RunningProgram {
  const child = spawn(name, args, {
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // Its own process group, because a browser consists of several processes.
    detached: true,
  });
  const ended = once(child, 'exit');
  const printed: string[] = [];
  const listeners = new Set<() => void>();
  for (const output of child.stdio.slice(1) as Readable[])
    createInterface({ input: output }).on('line', (line) => {
      printed.push(line);
      for (const listener of listeners) listener();
    });
  return {
    async said(what) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
      const look = () => {
        const match = printed.map((line) => what.exec(line)).find((each) => each !== null);
        if (match) resolve(match);
      };
      listeners.add(look);
      look();
      ended.then(() => reject(new Error(`${name} ended before it said ${what}:\n${printed.join('\n')}`)), reject);
      return promise.finally(() => listeners.delete(look));
    },
    async [Symbol.asyncDispose]() {
      endGroup(child);
      await ended;
    },
  };
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, 'SIGKILL');
}
