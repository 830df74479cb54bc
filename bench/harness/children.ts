/** Programs of the bench: started here, ended with it. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGTERM')));

export function startChild(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  // Debian keeps nginx where only an administrator's path looks.
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

/** What a program prints, and how long it took from its start to its end. A program that fails throws. */
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

/** Runs a client of ours in its own process. It takes its orders as JSON and prints its answer as JSON. */
export async function runClient<Answer>(name: string, orders: object): Promise<Answer> {
  const { output } = await runProgram(process.execPath, [`bench/clients/${name}.ts`, JSON.stringify(orders)]);
  return JSON.parse(output) as Answer;
}

/** What a pattern finds in the lines that a server prints; whatever it prints later is thrown away. */
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
