import { Failure } from '@holdfast/contract/src/errors.ts';
import { ConfigError, UnusableSetting } from '@holdfast/server/src/config/setting-errors.ts';
import { knownErrors } from '@holdfast/server/src/operator/known-errors.ts';
import { CommanderError } from 'commander';
import { machineProblem } from './machine-problem.ts';
import { ReaderLeft } from './output.ts';
import { Stopped } from './stop-signal.ts';

/** The command is valid but cannot be carried out. The message is one or two sentences for the operator. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The command does not match its `--help`. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The command found what it looked for, and has already reported it. */
export class Findings extends Error {
  override readonly name = 'Findings';
}

/** Returns the message for an error: a sentence if the operator can act on it, otherwise all available details. */
export function explain(error: unknown): string | null {
  if (error instanceof Findings || error instanceof ReaderLeft) return null;
  // Commander has already printed it.
  if (error instanceof CommanderError) return null;
  if (sentences.some((kind) => error instanceof kind)) return (error as Error).message;
  return machineProblem(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}

const sentences = [Failure, Stopped, ConfigError, UnusableSetting, ...knownErrors, Refused, WrongUsage];

export function exitCodeOf(error: unknown): 0 | 1 | 2 {
  if (error instanceof ReaderLeft) return 0;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof WrongUsage ? 2 : 1;
}
