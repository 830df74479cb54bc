import { digestOf } from '../../files/read-blob.ts';
import { messageOf } from '../../lib/message-of.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import {
  type BlobId,
  BlobMissing,
  type BlobStore,
  type BlobUnreadable,
  isOfBytes,
  StorageFull,
} from '../../storage/blobs/blobs.ts';
import type { Database } from '../../storage/db/database.ts';
import { rowsById } from '../../storage/db/batches.ts';

export interface BlobRow {
  readonly id: BlobId;
  readonly size: number;
  readonly sha256: string;
}

type OnOther = (id: BlobId) => Promise<void>;

interface CopyBlobsOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (blobs: number) => void;
  /** The database that tells whether a lost blob is still needed. */
  readonly live: Database;
  readonly run?: number;
  readonly onOther?: OnOther;
}

export type CopiedBlobs = Awaited<ReturnType<typeof copyBlobs>>;

/** Each run hashes this part of the bytes that are there already, so that damage shows within as many runs. */
const partsToCheck = 30;

const isCheckedIn = (run: number | undefined, id: BlobId): boolean =>
  run !== undefined && Number.parseInt(id.slice(-8), 16) % partsToCheck === run % partsToCheck;

/** Small blobs wait mostly for syncs and round trips. */
const atOnce = 8;

/**
 * A blob takes its place only whole and with the SHA-256 of its row, so a later run goes on where this one is killed. What
 * cannot be read, written or removed is named and passed over.
 */
export async function copyBlobs(rows: Database, from: BlobStore, to: BlobStore, options: CopyBlobsOptions) {
  const { live, signal, onProgress, run, onOther = async () => {} } = options;
  const done = { copied: 0, kept: 0, missing: [] as BlobId[], damaged: [] as BlobId[], problems: [] as string[] };
  const passOver = async (what: string, error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof OperatorError || error instanceof StorageFull) throw error;
    // Otherwise, it takes no other blob either.
    await to.probe();
    done.problems.push(`${what}: ${messageOf(error)}`);
  };
  const places = besideStored(to, (after) => readRows(rows, after), {
    onOther: (id) => onOther(id).catch((error: unknown) => passOver(`Not removed, ${id}`, error)),
    onUnreadable: ({ message }) => void done.problems.push(message),
  });
  const work = async () => {
    for await (const { row, size } of places) {
      signal.throwIfAborted();
      const isKept = size === row.size && !(isCheckedIn(run, row.id) && (await isChanged(to, row)));
      const end = isKept
        ? 'kept'
        : await copyBlob(from, to, row, signal).catch((error: unknown) => {
            return passOver(`Not written, ${row.id}`, error);
          });
      if (end === 'kept' || end === 'copied') done[end] += 1;
      else if (end && (await readNeeded(live, '=', row.id)).length > 0) done[end].push(row.id);
      onProgress?.(done.copied + done.kept);
    }
  };
  // When one fails, the generator ends for all of them.
  for (const end of await Promise.allSettled(Array.from({ length: atOnce }, work)))
    if (end.status === 'rejected') throw end.reason;
  return done;
}

interface Noticed {
  readonly onOther?: OnOther;
  readonly onUnreadable: (error: BlobUnreadable) => void;
}

/** Rows and the sizes of their stored bytes, which are null if there are none, or their folder cannot be read. */
export async function* besideStored(
  store: BlobStore,
  read: (after: BlobId) => Promise<readonly BlobRow[]>,
  { onOther = async () => {}, onUnreadable }: Noticed,
) {
  const stored = store.list(undefined, onUnreadable)[Symbol.asyncIterator]();
  try {
    let next = await stored.next();
    for await (const row of rowsById(read)) {
      for (; next.done !== true && next.value.id < row.id; next = await stored.next()) await onOther(next.value.id);
      const isPresent = next.done !== true && next.value.id === row.id;
      yield { row, size: isPresent ? next.value?.size : null };
      if (isPresent) next = await stored.next();
    }
    for (; next.done !== true; next = await stored.next()) await onOther(next.value.id);
  } finally {
    await stored.return?.();
  }
}

const blobRows = (db: Database) => db.selectFrom('blobs').select(['id', 'size', 'sha256']).orderBy('id').limit(500);

const readRows = (db: Database, after: BlobId): Promise<BlobRow[]> =>
  blobRows(db)
    .where('id', '>', after)
    // Bytes without a file got such a row so that the purge deletes them.
    .where('sha256', 'not like', 'stray %')
    .execute();

export const readNeeded = (db: Database, operator: '>' | '=', id: BlobId): Promise<BlobRow[]> =>
  blobRows(db)
    .where('id', operator, id)
    .where((eb) => eb.or([eb('used_by', '>', 0), eb('held_for', 'is not', null)]))
    .execute();

const isChanged = async (store: BlobStore, { id: blobId, size, sha256 }: BlobRow) =>
  (await digestOf(store, { blobId, size }).catch(() => null))?.sha256 !== sha256;

class DamagedBytes extends Error {}

async function copyBlob(from: BlobStore, to: BlobStore, { id, size, sha256 }: BlobRow, signal: AbortSignal) {
  try {
    await using reader = await from.open(id, 0, size - 1);
    if (reader.size !== size) return 'missing';
    const read = (into: Uint8Array) => (signal.throwIfAborted(), reader.read(into));
    await to.write(id, { read }, (written) => {
      if (written.sha256 !== sha256) throw new DamagedBytes();
    });
    return 'copied';
  } catch (error) {
    if (error instanceof BlobMissing) return 'missing';
    if (error instanceof DamagedBytes || isOfBytes(error)) return 'damaged';
    throw error;
  }
}
