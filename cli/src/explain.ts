import { getSystemErrorMessage } from 'node:util';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { StorageFull } from '@holdfast/server/src/storage/blobs/blobs.ts';
import { CommanderError } from 'commander';
import { isReaderLeft, ReaderLeft } from './output.ts';
import { OperatorError } from '@holdfast/server/src/lib/operator-error.ts';

/** The command is valid but cannot be carried out. */
export class Refused extends OperatorError {
  override readonly name = 'Refused';
}

/** The command does not match its `--help`. */
export class WrongUsage extends OperatorError {
  override readonly name = 'WrongUsage';
}

/** The command found what it looked for, and has already reported it. */
export class Findings extends Error {
  override readonly name = 'Findings';
}

export class Stopped extends OperatorError {
  override readonly name = 'Stopped';

  constructor() {
    super('Stopped. Completed steps are kept.');
  }
}

/** Returns the message for an error: a sentence if the operator can act on it, otherwise all available details. */
export function explain(error: unknown): string | null {
  // Commander has already printed its own.
  if ([Findings, ReaderLeft, CommanderError].some((kind) => error instanceof kind)) return null;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError || error instanceof Failure) return error.message;
  return machineProblem(error) ?? error.stack ?? error.message;
}

/** Properties that Node adds to errors of the operating system and of SQLite, and `pg` to errors of PostgreSQL. */
interface Facts extends NodeJS.ErrnoException {
  /** SQLite's error code; the low byte is the kind. */
  readonly errcode: number;
  readonly severity: string;
}

/** SQLITE_BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN and NOTADB. */
const sqliteRefuses: ReadonlySet<number> = new Set([5, 8, 10, 11, 13, 14, 26]);

/** Returns one sentence for an error caused by the machine or the database; null for any other. */
function machineProblem(error: Error): string | null {
  if (error instanceof StorageFull) return 'The storage is full.';
  const { syscall, errno, path, code, errcode, severity }: Partial<Facts> = error;
  if (syscall !== undefined && typeof errno === 'number')
    return `Could not ${syscall}${path === undefined ? '' : ` ${path}`}: ${getSystemErrorMessage(errno)}.`;
  const isRefusal =
    code === 'ERR_SQLITE_ERROR'
      ? sqliteRefuses.has((errcode ?? 0) % 256)
      : severity !== undefined && /^(08|53|57|58)/.test(code ?? '');
  return isRefusal ? `The database failed: ${error.message}.` : null;
}

export function exitCodeOf(error: unknown): 0 | 1 | 2 {
  if (error instanceof ReaderLeft) return 0;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof WrongUsage ? 2 : 1;
}

/** Ends a command whose output cannot be written, as on a full disk. A closed reader ends only a list: see `Output`. */
export function handleOutputErrors(error: unknown): void {
  if (isReaderLeft(error)) return;
  console.error(explain(error));
  process.exit(1);
}
