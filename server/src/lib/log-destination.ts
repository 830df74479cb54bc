import { readableLine } from './readable-line.ts';
import { standardError } from './standard-error.ts';

/** A person reads the log in a terminal; everywhere else it is JSON, for programs. */
export const logDestination = (): { write(line: string): void } =>
  process.stderr.isTTY ? { write: (line) => standardError.write(readableLine(line)) } : standardError;
