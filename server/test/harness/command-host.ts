/**
 * A process that runs operator's commands for tests, one after the other. Each of them gets the arguments, environment
 * and output that a process of its own would have, but the program is loaded once: that takes most of the time of most
 * commands. `startHoldfast` starts a real process, for what depends on one.
 */
import { setTimeout as wait } from 'node:timers/promises';

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface HostedCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const entry = new URL('../../../cli/src/holdfast.ts', import.meta.url);
const exit = process.exit.bind(process);
/** Milliseconds that a process of its own might take to end after its last line. */
const patience = 5_000;
let runs = 0;

const written = { out: '', err: '' };
process.stdout.write = (chunk: unknown) => ((written.out += String(chunk)), true);
process.stderr.write = (chunk: unknown) => ((written.err += String(chunk)), true);
process.exit = (code) => {
  throw new Error(`the command ended its process with ${code}`);
};

process.on('disconnect', () => exit(0));
process.on('message', (command: HostedCommand) => {
  void run(command).then((end) => process.send?.(end));
});
/** How much keeps this process running between two commands. */
const idle = keptAliveBy();

async function run({ args, env }: HostedCommand): Promise<CommandEnd> {
  Object.assign(written, { out: '', err: '' });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, entry.pathname, ...args];
  await import(`${entry.href}?run=${(runs += 1)}`);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.stdout.removeAllListeners('error');
  return { code: (await hasEnded()) ? code : 1, ...written };
}

/** A process of its own would not end before. */
async function hasEnded(): Promise<boolean> {
  const start = performance.now();
  while (keptAliveBy() > idle) {
    if (performance.now() - start > patience) {
      written.err += `\nThe command has left something open: ${process.getActiveResourcesInfo().join(', ')}`;
      return false;
    }
    await wait(5);
  }
  return true;
}

function keptAliveBy(): number {
  // The timer of the wait above is not there yet, or has just ended.
  return process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate' && kind !== 'Timeout').length;
}
