import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAllBlobs } from '../../storage/blobs/blob-id.ts';
import {
  type BlobId,
  BlobMissing,
  type BlobReader,
  BlobsUnavailable,
  type BlobStore,
} from '../../storage/blobs/blobs.ts';
import type { Database } from '../../storage/db/database.ts';
import { seconds } from '../../lib/clock.ts';
import type { CopyOptions } from './copy-rows.ts';

export interface CopiedBlobs {
  readonly copied: number;
  /** Blobs that were already in the target with the right size. */
  readonly kept: number;
  /** Blobs that files need, and that are absent or incomplete in the source. */
  readonly missing: readonly BlobId[];
  /** Blobs that files need, and that cannot be read or do not match their SHA-256; they are not copied. */
  readonly damaged: readonly BlobId[];
}

export interface CopyBlobsOptions extends CopyOptions {
  /** The database of the service, which tells whether a lost blob is still needed. */
  readonly live: Database;
  /** Whether to hash a blob in the target, and to replace it if its bytes have changed. */
  readonly checksAgain?: (id: BlobId) => boolean;
  /** Called for each blob of the target that has no row. */
  readonly onOther?: (id: BlobId) => Promise<void>;
}

/** Small blobs wait mostly for syncs and round trips. */
const atOnce = 8;

/**
 * Copies the bytes of all blobs in `rows` that the target lacks, and compares them with the SHA-256 of their row before
 * they take their place. Rows and target are read side by side in the order of their ids, and a blob in its place was
 * written whole, so a later run goes on where this one is killed.
 */
export async function copyBlobs(
  rows: Database,
  from: BlobStore,
  to: BlobStore,
  { live, signal, onProgress, checksAgain = () => false, onOther }: CopyBlobsOptions,
): Promise<CopiedBlobs> {
  const counts = { copied: 0, kept: 0, gone: 0 };
  const lost = { missing: [] as BlobId[], damaged: [] as BlobId[] };
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const running = new Set<Promise<void>>();
  const handle = async (blob: Row, isThere: boolean) => {
    const isKept = isThere && !(checksAgain(blob.id) && (await isChanged(to, blob)));
    const end = isKept ? 'kept' : await copyBlob(from, to, blob, either);
    if (end === 'copied' || end === 'kept') counts[end] += 1;
    else if (await isNeeded(live, blob.id)) lost[end].push(blob.id);
    else counts.gone += 1;
    onProgress?.(counts.copied + counts.kept);
  };
  const stored = to.list()[Symbol.asyncIterator]();
  try {
    let next = await stored.next();
    for await (const row of rowsOf(rows)) {
      either.throwIfAborted();
      for (; next.done !== true && next.value.id < row.id; next = await stored.next()) await onOther?.(next.value.id);
      const isThere = next.done !== true && next.value.id === row.id && next.value.size === row.size;
      const started: Promise<void> = handle(row, isThere)
        .catch((error: unknown) => failing.abort(error))
        .finally(() => running.delete(started));
      running.add(started);
      if (running.size >= atOnce) await Promise.race(running);
      if (next.done !== true && next.value.id === row.id) next = await stored.next();
    }
    for (; next.done !== true; next = await stored.next()) await onOther?.(next.value.id);
    await Promise.all(running);
    either.throwIfAborted();
    return { copied: counts.copied, kept: counts.kept, ...lost };
  } finally {
    failing.abort();
    await Promise.allSettled(running);
    await stored.return?.();
  }
}

interface Row {
  readonly id: BlobId;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
}

const rowsPerPage = 500;

async function* rowsOf(db: Database): AsyncGenerator<Row> {
  for (let after = beforeAllBlobs; ;) {
    const rows = await db
      .selectFrom('blobs')
      .select(['id', 'size', 'sha256'])
      // Bytes without a file got such a row so that the purge deletes them.
      .where('sha256', 'not like', 'stray %')
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield* rows;
    after = rows.at(-1)?.id ?? beforeAllBlobs;
    if (rows.length < rowsPerPage) return;
  }
}

/** A live file uses it, something holds it, or a withheld file waits for free space in its account. */
async function isNeeded(db: Database, id: BlobId): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM blobs WHERE id = ${id} AND (used_by > 0 OR held_for IS NOT NULL OR EXISTS (
      SELECT 1 FROM files WHERE files.blob_id = blobs.id AND files.deleted_because IN ('malware', 'takedown')))`.execute(
    db,
  );
  return rows.length > 0;
}

class DamagedBytes extends Error {}

const mostTries = 6;

async function copyBlob(from: BlobStore, to: BlobStore, blob: Row, signal: AbortSignal) {
  for (let tries = 1; ; tries += 1)
    try {
      await writeBlob(from, to, blob, signal);
      return 'copied';
    } catch (error) {
      if (error instanceof DamagedBytes) return 'damaged';
      if (error instanceof BlobMissing) return 'missing';
      // A storage that is away for half a minute does not end a run of hours.
      if (!(error instanceof BlobsUnavailable) || tries === mostTries) throw error;
      await wait(seconds(2 ** (tries - 1)), undefined, { signal });
    }
}

async function writeBlob(
  from: BlobStore,
  to: BlobStore,
  { id, size, sha256 }: Row,
  signal: AbortSignal,
): Promise<void> {
  await using reader = await readable(from.open(id, 0, size - 1));
  if (reader.size !== size) throw new BlobMissing(id);
  const read = (into: Uint8Array) => (signal.throwIfAborted(), readable(reader.read(into)));
  await to.write(id, { read }, (written) => {
    if (written.size !== size || written.sha256 !== sha256) throw new DamagedBytes();
  });
}

/** One unreadable file must not end the run for all others. */
async function readable<T>(read: Promise<T>): Promise<T> {
  return read.catch((error: unknown) => {
    if (error instanceof BlobMissing || error instanceof BlobsUnavailable) throw error;
    throw new DamagedBytes('', { cause: error });
  });
}

async function isChanged(store: BlobStore, { id, size, sha256 }: Row): Promise<boolean> {
  try {
    await using reader: BlobReader = await store.open(id, 0, size - 1);
    const hash = createHash('sha256');
    const piece = new Uint8Array(64 * 1024);
    for (let read = await reader.read(piece); read > 0; read = await reader.read(piece))
      hash.update(piece.subarray(0, read));
    return hash.digest('hex') !== sha256;
  } catch {
    return true;
  }
}
