import { StorageFull } from '@holdfast/server/src/storage/blobs/blobs.ts';
import { getSystemErrorMessage } from 'node:util';

/**
 * Returns one sentence for an error caused by the machine or the database instead of the program; null for any other.
 */
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
  return isRefusal ? `The database failed: ${error.message}.` : null;
}

/** Properties that Node adds to errors of the operating system and of SQLite, and `pg` to errors of PostgreSQL. */
interface Facts extends NodeJS.ErrnoException {
  /** SQLite's error code; the low byte is the kind. */
  readonly errcode: number;
  readonly severity: string;
}

/** SQLITE_BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN and NOTADB. */
const sqliteRefuses: ReadonlySet<number> = new Set([5, 8, 10, 11, 13, 14, 26]);
