/** Child processes of the bench: started here, ended with it. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGTERM')));

export function startChild(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  // Debian installs nginx in a folder that only an administrator's PATH includes.
  const env = { ...process.env, ...options.env, NODE_OPTIONS: '', PATH: `${process.env['PATH']}:/usr/sbin` };
  const child = spawn(command, args, { cwd: root, ...options, env });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Returns the output of a program and its run time. Throws if the program fails. */
export async function runProgram(
  command: string,
  args: readonly string[],
): Promise<{ output: string; seconds: number }> {
  const start = performance.now();
  const child = startChild(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`${command} ended with status ${code}: ${output.trim().slice(-500)}`);
  return { output, seconds };
}

/** Runs one of our clients in its own process. It receives its orders and prints its result as JSON. */
export async function runClient<Answer>(name: string, orders: object): Promise<Answer> {
  const { output } = await runProgram(process.execPath, [`labs/bench/clients/${name}.ts`, JSON.stringify(orders)]);
  return JSON.parse(output) as Answer;
}

/** Returns the first match of a pattern in the lines that a server prints; later output is discarded. */
export async function firstLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (!child.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const found = pattern.exec(line)?.[1];
    if (found === undefined) continue;
    child.stdout.resume();
    return found;
  }
  throw new Error('a server ended before it listened');
}
