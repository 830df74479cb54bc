import { Failure } from '@holdfast/contract/src/errors.ts';
import { ConfigError, UnusableSetting } from '@holdfast/server/src/config.ts';
import { OtherSchema } from '@holdfast/server/src/engines/database/database.ts';
import { Braked } from '@holdfast/server/src/maintenance/brake.ts';
import { OtherStorage } from '@holdfast/server/src/maintenance/service-id.ts';
import { UnreadableLines } from '@holdfast/server/src/maintenance/backup/lines-file.ts';
import { UnusableBackup } from '@holdfast/server/src/maintenance/backup/manifest.ts';
import { CommanderError } from 'commander';
import { machineProblem } from './machine-problem.ts';
import { ReaderLeft } from './output.ts';
import { Stopped } from './stop-signal.ts';

/** Nothing is wrong with the command, it cannot be done. One sentence or two for the operator. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The command is not as `--help` says. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** What was looked for was found, and what was found has been said. */
export class Findings extends Error {
  override readonly name = 'Findings';
}

/** What is said of an error: a sentence where it is one that an operator can act on, else all that is known of it. */
export function explain(error: unknown): string | null {
  if (error instanceof Findings || error instanceof ReaderLeft) return null;
  // Commander has said it already.
  if (error instanceof CommanderError) return null;
  if (sentences.some((kind) => error instanceof kind)) return (error as Error).message;
  return machineProblem(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}

const sentences = [
  Failure,
  Stopped,
  ConfigError,
  UnusableSetting,
  OtherSchema,
  Braked,
  UnusableBackup,
  UnreadableLines,
  OtherStorage,
  Refused,
  WrongUsage,
];

export function exitCodeOf(error: unknown): 0 | 1 | 2 {
  if (error instanceof ReaderLeft) return 0;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof WrongUsage ? 2 : 1;
}
