import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { isNotedSecret } from '@holdfast/server/src/accounts/api-key.ts';
import type { Actor } from '@holdfast/server/src/storage/db/record-action.ts';
import { loadConfig, sudoUser } from '@holdfast/server/src/config/config.ts';
import { type Context, openContext } from '@holdfast/server/src/context.ts';
import { seconds } from '@holdfast/server/src/lib/clock.ts';
import { OlderSchema, type OpenSchema } from '@holdfast/server/src/storage/db/database.ts';
import type { Command } from 'commander';
import { Stopped } from './explain.ts';
import { openOutput, type Output } from './output.ts';
import { openWarningLog } from './warning-log.ts';

/** Resources of a running command. */
export interface Run extends AsyncDisposable {
  readonly context: Context;
  readonly actor: Actor;
  readonly out: Output;
  readonly progress: Progress;
  /** Aborts on ctrl-C: a long command ends between two batches. */
  readonly signal: AbortSignal;
}

/** Opens the server's engines for one command, and uses the database as it is unless a migration is asked for. */
export async function openCommand(
  command: Command,
  schema: OpenSchema = 'as it is',
  { evenIfMoved = false, patience = 0 } = {},
): Promise<Run> {
  const signal = stopSignal();
  const progress = openProgress();
  const log = openWarningLog(progress, { all: schema === 'migrate' });
  const open = () => openContext(loadConfig(), log, { schema, evenIfMoved });
  const context = await whenMigrated(open, patience);
  if (schema === 'as it is') await refuseOtherSecret(context);
  return {
    context,
    actor: actorOf(command),
    out: openOutput(command),
    progress,
    signal,
    async [Symbol.asyncDispose]() {
      progress.end();
      await context[Symbol.asyncDispose]();
    },
  };
}

/** The first start of a server may be under way. */
async function whenMigrated(open: () => Promise<Context>, patience: number): Promise<Context> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof OlderSchema) || performance.now() - startedAt >= patience) throw error;
    }
    await wait(seconds(0.2));
  }
}

/** A command would seal new rows with it, or back it up. */
async function refuseOtherSecret(context: Context): Promise<void> {
  try {
    await isNotedSecret(context);
  } catch (error) {
    await context[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns the action of a command that needs the server's engines. */
export const withRun =
  <Args extends unknown[]>(work: (run: Run, ...args: Args) => Promise<void>) =>
  async (...all: unknown[]): Promise<void> => {
    await using run = await openCommand(all.at(-1) as Command);
    await work(run, ...(all as Args));
  };

function actorOf(command: Command): Actor {
  return { operator: operatorName(), sudoUser: sudoUser(), action: nameOf(command) };
}

function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns the full name of a command, such as `file take-down`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** Aborts on the first ctrl-C or SIGTERM; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new Stopped());
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return stopping.signal;
}

export interface Progress {
  /** Shows the progress, such as '12,000 files'. It may be called at any rate. */
  show(text: string): void;
  /** Clears the line. */
  end(): void;
}

const pauseMs = 100;

/** Shows one changing line on standard error, only if that is a terminal. */
function openProgress(to: NodeJS.WriteStream = process.stderr): Progress {
  // Short work shows no progress.
  let saidAt = performance.now();
  let shown = false;
  return {
    show(text) {
      if (!to.isTTY || performance.now() - saidAt < pauseMs) return;
      saidAt = performance.now();
      shown = true;
      to.write(`\r\u001B[K${text}`);
    },
    end() {
      if (shown) to.write('\r\u001B[K');
      shown = false;
    },
  };
}
