import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { digestOf } from '../../files/read-blob.ts';
import { seconds } from '../../lib/clock.ts';
import { type BlobId, BlobMissing, BlobsUnavailable, type BlobStore } from '../../storage/blobs/blobs.ts';
import type { Database } from '../../storage/db/database.ts';
import { rowsById } from '../rows-by-id.ts';

export interface CopiedBlobs {
  readonly copied: number;
  readonly kept: number;
  readonly missing: readonly BlobId[];
  readonly damaged: readonly BlobId[];
}

interface CopyBlobsOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (blobs: number) => void;
  /** The database that tells whether a lost blob is still needed. */
  readonly live: Database;
  readonly checksAgain?: (id: BlobId) => boolean;
  readonly onOther?: (id: BlobId) => Promise<void>;
}

interface Row {
  readonly id: BlobId;
  readonly size: number;
  readonly sha256: string;
}

/** Small blobs wait mostly for syncs and round trips. */
const atOnce = 8;

/**
 * Copies the bytes of all blobs in `rows` that the target lacks, and compares them with the SHA-256 of their row before
 * they take their place. A blob in its place was written whole, so a later run goes on where this one is killed.
 */
export async function copyBlobs(
  rows: Database,
  from: BlobStore,
  to: BlobStore,
  { live, signal, onProgress, checksAgain = () => false, onOther }: CopyBlobsOptions,
): Promise<CopiedBlobs> {
  const done = { copied: 0, kept: 0 };
  const lost = { missing: [] as BlobId[], damaged: [] as BlobId[] };
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const places = besideStored(rows, to, onOther);
  const work = async () => {
    for await (const { row, isThere } of places) {
      either.throwIfAborted();
      const isKept = isThere && !(checksAgain(row.id) && (await isChanged(to, row)));
      const end = isKept ? 'kept' : await copyBlob(from, to, row, either);
      if (end === 'kept' || end === 'copied') done[end] += 1;
      else if (await isNeeded(live, row.id)) lost[end].push(row.id);
      onProgress?.(done.copied + done.kept);
    }
  };
  const workers = Array.from({ length: atOnce }, () => work().catch((error: unknown) => failing.abort(error)));
  await Promise.all(workers);
  either.throwIfAborted();
  return { ...done, ...lost };
}

async function* besideStored(db: Database, to: BlobStore, onOther: CopyBlobsOptions['onOther']) {
  const stored = to.list()[Symbol.asyncIterator]();
  try {
    let next = await stored.next();
    for await (const row of rowsById<Row>((after) => readRows(db, after))) {
      for (; next.done !== true && next.value.id < row.id; next = await stored.next()) await onOther?.(next.value.id);
      const isPresent = next.done !== true && next.value.id === row.id;
      yield { row, isThere: isPresent && next.value?.size === row.size };
      if (isPresent) next = await stored.next();
    }
    for (; next.done !== true; next = await stored.next()) await onOther?.(next.value.id);
  } finally {
    await stored.return?.();
  }
}

const readRows = (db: Database, after: BlobId): Promise<Row[]> =>
  db
    .selectFrom('blobs')
    .select(['id', 'size', 'sha256'])
    // Bytes without a file got such a row so that the purge deletes them.
    .where('sha256', 'not like', 'stray %')
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute();

const isChanged = async (store: BlobStore, { id: blobId, size, sha256 }: Row) =>
  (await digestOf(store, { blobId, size }).catch(() => null))?.sha256 !== sha256;

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

async function writeBlob(from: BlobStore, to: BlobStore, { id, size, sha256 }: Row, signal: AbortSignal) {
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
