import { setTimeout as wait } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import { beforeAllBlobs } from '../../engines/blobs/blob-id.ts';
import {
  type BlobId,
  BlobMissing,
  BlobsUnavailable,
  type BlobStore,
  type StoredBlob,
} from '../../engines/blobs/blobs.ts';
import type { Database } from '../../engines/database/database.ts';
import type { ByteReader } from '../../lib/byte-reader.ts';
import { seconds } from '../../lib/clock.ts';

export interface CopiedBytes {
  readonly copied: number;
  /** Blobs that an earlier run has copied. */
  readonly kept: number;
  /** Blobs of the target that were purged here after they were copied. */
  readonly removed: number;
  /** Blobs that files need, and that are absent or incomplete here. */
  readonly missing: readonly BlobId[];
  /** Blobs that files need, and whose bytes here do not match their SHA-256; they are not copied. */
  readonly damaged: readonly BlobId[];
}

export interface BytesDone {
  readonly blobs: number;
  readonly bytes: number;
  /** Bytes that this run has copied. */
  readonly copiedBytes: number;
}

export interface CopyBytesOptions {
  readonly signal: AbortSignal;
  /**
   * Removes blobs of the target that have no row, while nothing is stored. It is called after some of them were listed and
   * before they are removed, and throws when the target may be in use by now. Null leaves them.
   */
  readonly beforeRemoval: (() => Promise<void>) | null;
  readonly onProgress: (done: BytesDone) => void;
}

/** Small blobs wait mostly for syncs and round trips. The storage bounds the memory of each write. */
const atOnce = 8;
const removedAtOnce = 100;

/**
 * Copies the bytes of all blobs that the target lacks, and compares their size and SHA-256 with their row before they
 * take their place. The rows and the blobs of the target are read side by side in the order of their ids, so a run goes on
 * where an earlier one was killed. A blob that is in its place was written whole, so its size is all that is compared then.
 */
export async function copyBytes(
  db: Database,
  from: BlobStore,
  to: BlobStore,
  { signal, beforeRemoval, onProgress }: CopyBytesOptions,
): Promise<CopiedBytes> {
  const sums = { copied: 0, kept: 0, removed: 0 };
  const done = { blobs: 0, bytes: 0, copiedBytes: 0 };
  const missing: BlobId[] = [];
  const damaged: BlobId[] = [];
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const copy = async (blob: Row) => {
    const end = await copyBlob({ db, from, to, signal: either }, blob);
    if (end === 'copied') sums.copied += 1;
    else if (end === 'missing') missing.push(blob.id);
    else if (end === 'damaged') damaged.push(blob.id);
    if (end === 'copied') done.copiedBytes += blob.size;
    advance(blob);
  };
  const advance = ({ size }: Row) => {
    done.blobs += 1;
    done.bytes += size;
    onProgress(done);
  };
  const others: BlobId[] = [];
  const removeOthers = async () => {
    if (others.length > 0) await beforeRemoval?.();
    for (const id of others.splice(0)) {
      await to.remove(id);
      sums.removed += 1;
    }
  };
  const running = new Set<Promise<void>>();
  try {
    for await (const { row, stored } of sideBySide(rowsOf(db), to.list())) {
      either.throwIfAborted();
      if (!row) {
        if (beforeRemoval && others.push(stored.id) === removedAtOnce) await removeOthers();
      } else if (stored?.size === row.size || isStray(row)) {
        sums.kept += 1;
        advance(row);
      } else {
        const started: Promise<void> = copy(row).finally(() => running.delete(started));
        running.add(started);
        if (running.size >= atOnce) await Promise.race(running);
      }
    }
    await Promise.all(running);
    await removeOthers();
    return { ...sums, missing, damaged };
  } finally {
    failing.abort(new Error('Another blob could not be copied'));
    await Promise.allSettled(running);
  }
}

interface Row {
  readonly id: BlobId;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly needed: number;
}

const isNeeded = sql<SqlBool>`(
  blobs.used_by > 0 OR blobs.held_for IS NOT NULL OR
  EXISTS (SELECT 1 FROM files WHERE files.blob_id = blobs.id AND files.deleted_because IN ('malware', 'takedown'))
)`;

const rowsPerPage = 500;

const columns = ['id', 'size', 'sha256', sql<number>`CASE WHEN ${isNeeded} THEN 1 ELSE 0 END`.as('needed')] as const;

async function* rowsOf(db: Database): AsyncGenerator<Row> {
  for (let after = beforeAllBlobs; ;) {
    const page = db.selectFrom('blobs').select(columns).where('id', '>', after).orderBy('id').limit(rowsPerPage);
    const rows = await page.execute();
    yield* rows;
    after = rows.at(-1)?.id ?? beforeAllBlobs;
    if (rows.length < rowsPerPage) return;
  }
}

/** Bytes without a file got this row so that the purge deletes them. There is no digest to compare them with. */
const isStray = ({ sha256, needed }: Row): boolean => needed === 0 && sha256.startsWith('stray ');

type Step =
  | { readonly row: Row; readonly stored: StoredBlob | null }
  | { readonly row: null; readonly stored: StoredBlob };

async function* sideBySide(rows: AsyncGenerator<Row>, listed: AsyncIterable<StoredBlob>): AsyncGenerator<Step> {
  const stored = listed[Symbol.asyncIterator]();
  try {
    let next = await stored.next();
    for await (const row of rows) {
      for (; next.done !== true && next.value.id < row.id; next = await stored.next())
        yield { row: null, stored: next.value };
      const isThere = next.done !== true && next.value.id === row.id;
      yield { row, stored: isThere && next.done !== true ? next.value : null };
      if (isThere) next = await stored.next();
    }
    for (; next.done !== true; next = await stored.next()) yield { row: null, stored: next.value };
  } finally {
    await stored.return?.();
  }
}

interface Copying {
  readonly db: Database;
  readonly from: BlobStore;
  readonly to: BlobStore;
  readonly signal: AbortSignal;
}

class OtherBytes extends Error {}

/** Returns null for a blob that nothing needs, or that was deleted in the meantime. */
async function copyBlob(copying: Copying, blob: Row): Promise<'copied' | 'missing' | 'damaged' | null> {
  try {
    await whenAvailable(copying.signal, () => writeBlob(copying, blob));
    return 'copied';
  } catch (error) {
    if (!(error instanceof OtherBytes || error instanceof BlobMissing)) throw error;
    const found = await copying.db.selectFrom('blobs').select(columns).where('id', '=', blob.id).executeTakeFirst();
    if (found?.needed !== 1) return null;
    return error instanceof OtherBytes ? 'damaged' : 'missing';
  }
}

async function writeBlob({ from, to, signal }: Copying, { id, size, sha256 }: Row): Promise<void> {
  await using reader = await from.open(id, 0, size - 1);
  if (reader.size !== size) throw new BlobMissing(id);
  const source: ByteReader = {
    async read(into) {
      signal.throwIfAborted();
      return reader.read(into);
    },
  };
  await to.write(id, source, (written) => {
    if (written.size !== size || written.sha256 !== sha256) throw new OtherBytes();
  });
}

const mostTries = 6;

/** A storage that is away for half a minute does not end a run of hours. */
async function whenAvailable(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BlobsUnavailable) || tries === mostTries) throw error;
      await wait(seconds(2 ** (tries - 1)), undefined, { signal });
    }
}
