import { userInfo } from 'node:os';
import type { Actor } from '@holdfast/server/src/operator/record-action.ts';
import { loadConfig, sudoUser } from '@holdfast/server/src/config/config.ts';
import { type Context, openContext } from '@holdfast/server/src/context.ts';
import type { OpenSchema } from '@holdfast/server/src/storage/db/database.ts';
import type { Command } from 'commander';
import { nameOf } from './describe.ts';
import { openOutput, type Output } from './output.ts';
import { openProgress, type Progress } from './progress.ts';
import { stopSignal } from './stop-signal.ts';
import { openWarningLog } from './warning-log.ts';

/** Resources of a running command. */
export interface Run extends AsyncDisposable {
  readonly context: Context;
  /** The actor in the audit log: see `recordAction`. */
  readonly actor: Actor;
  readonly out: Output;
  readonly progress: Progress;
  /** Aborts on ctrl-C: a long command ends between two batches. */
  readonly signal: AbortSignal;
}

/**
 * Opens the server's engines for one command. The database schema is used as it is, unless the command asks for a
 * migration.
 * @throws {OtherSchema} when it is older or newer than this program.
 * @throws {UnusableSetting} when a setting does not work.
 */
export async function openCommand(
  command: Command,
  schema: OpenSchema = 'as it is',
  { evenIfMoved = false } = {},
): Promise<Run> {
  const signal = stopSignal();
  const progress = openProgress();
  const log = openWarningLog({ progress, all: schema === 'migrate' });
  const context = await openContext(loadConfig(), log, { schema, evenIfMoved });
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

/** Returns the action of a command that needs the server's engines. */
export const withRun =
  <Args extends unknown[]>(work: (run: Run, ...args: Args) => Promise<void>) =>
  async (...all: unknown[]): Promise<void> => {
    await using run = await openCommand(all.at(-1) as Command);
    await work(run, ...(all as Args));
  };

/** With `sudo -u holdfast` the user is that of the service, and the person is the user who called sudo. */
export function actorOf(command: Command): Actor {
  return { operator: operatorName(), sudoUser: sudoUser(), action: nameOf(command) };
}

/** Returns the operator's user name in the operating system, or the user number if there is no name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
