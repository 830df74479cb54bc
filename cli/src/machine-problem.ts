import { StorageFull } from '@holdfast/server/src/engines/blobs/blobs.ts';
import { getSystemErrorMessage } from 'node:util';

/** Of an error that is the machine's or the database's, and not the program's: one sentence; null of any other. */
export function machineProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof StorageFull) return 'The storage is full.';
  const { syscall, errno, path, code, errcode, severity }: Partial<Facts> = error;
  if (syscall !== undefined && typeof errno === 'number')
    return `Could not ${syscall}${path === undefined ? '' : ` ${path}`}: ${getSystemErrorMessage(errno)}.`;
  const isRefusal =
    code === 'ERR_SQLITE_ERROR'
      ? sqliteRefuses.has((errcode ?? 0) % 256)
      : severity !== undefined && /^(08|53|57|58)/.test(code ?? '');
  return isRefusal ? `The database does not go on: ${error.message}.` : null;
}

/** What Node adds to an error of the operating system or of SQLite, and `pg` to one of PostgreSQL. */
interface Facts extends NodeJS.ErrnoException {
  /** SQLite's own number: the low byte is the kind. */
  readonly errcode: number;
  readonly severity: string;
}

/** SQLITE_BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN and NOTADB. */
const sqliteRefuses: ReadonlySet<number> = new Set([5, 8, 10, 11, 13, 14, 26]);
