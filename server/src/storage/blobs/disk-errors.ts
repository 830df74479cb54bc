/** Errors of the system, as the storage knows them. */
import { messageOf } from '../../lib/message-of.ts';
import { type BlobId, BlobMissing, BlobsUnavailable, BlobUnreadable, StorageFull } from './blobs.ts';

export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromSystem(error);
  }
}

export function readError(id: BlobId, error: unknown): unknown {
  if (codeOf(error) === 'ENOENT') return new BlobMissing(id, error);
  const known = fromSystem(error);
  return known === error ? bytesUnreadable(id, error) : known;
}

export const bytesUnreadable = (id: BlobId, error: unknown) => new BlobUnreadable(`The bytes of blob ${id}`, error);

function fromSystem(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StorageFull(error);
  // The system gets it back as soon as other calls end.
  if (['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'].includes(code))
    return new BlobsUnavailable('The system has too many open files or too little memory', error);
  if (ofAllBytes.has(code)) return new BlobsUnavailable(`The storage cannot be reached: ${messageOf(error)}`, error);
  return error;
}

/** Of a disk behind a network or a program, or one that was detached; never of one file. */
const ofAllBytes: ReadonlySet<string> = new Set(
  'ENOTCONN ESTALE EROFS EXDEV ENODEV ENXIO ETIMEDOUT EHOSTDOWN EHOSTUNREACH ESHUTDOWN'.split(' '),
);

export const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

export function unless<T>(codes: readonly string[], value: T): (error: unknown) => T {
  return (error) => {
    if (codes.includes(codeOf(error))) return value;
    throw error;
  };
}
