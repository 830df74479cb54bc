import { digestOf, type StoredDigest } from '../../files/read-blob.ts';
import { type BlobId, BlobMissing, StorageFull } from '../../storage/blobs/blobs.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { recordAction } from '../audit.ts';
import { rowsById } from '../rows-by-id.ts';
import type { Inspection, Suspicion } from './inspection.ts';

interface NeededBlob {
  readonly id: BlobId;
  readonly sha256: string;
  readonly size: number;
}

/** Reads the rows of used and held blobs and the stored bytes side by side, in the order of their ids. */
export async function* findWrongBytes(inspection: Inspection): AsyncGenerator<Suspicion> {
  const { context, signal, scrub, checked } = inspection;
  const stored = context.blobs.list()[Symbol.asyncIterator]();
  try {
    let next = await stored.next();
    for await (const blob of rowsById<NeededBlob>((after) => readNeeded(inspection, '>', after))) {
      signal.throwIfAborted();
      while (next.done !== true && next.value.id < blob.id) next = await stored.next();
      const size = next.done !== true && next.value.id === blob.id ? next.value.size : null;
      const suspicion =
        size !== blob.size
          ? suspectSize(inspection, blob, size)
          : scrub
            ? await suspectContent(inspection, blob)
            : null;
      if (suspicion)
        yield {
          ...suspicion,
          subject: blob.id,
          says: `${suspicion.says} ${await usersOf(inspection, blob)}`,
          // The files may have been deleted meanwhile, and the bytes with them.
          again: async () => (await readNeeded(inspection, '=', blob.id)).length > 0 && suspicion.again(),
        };
      checked('blobs');
    }
  } finally {
    await stored.return?.();
  }
}

function readNeeded({ context: { db } }: Inspection, operator: '>' | '=', id: BlobId): Promise<NeededBlob[]> {
  return db
    .selectFrom('blobs')
    .select(['id', 'sha256', 'size'])
    .where('id', operator, id)
    .where((eb) => eb.or([eb('used_by', '>', 0), eb('held_for', 'is not', null)]))
    .orderBy('id')
    .limit(1000)
    .execute();
}

function suspectSize({ context }: Inspection, { id, size: wanted }: NeededBlob, size: number | null) {
  const sizeNow = () =>
    context.blobs.size(id).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
  const again = async () => (await sizeNow()) !== wanted;
  return size === null
    ? ({ kind: 'bytes-missing', says: `The bytes of blob ${id} are missing.`, again } as const)
    : ({
        kind: 'bytes-wrong-size',
        says: `Blob ${id} is stored with ${size} bytes instead of ${wanted}.`,
        again,
      } as const);
}

/** Bytes are damaged if two reads in a row find them so. */
async function suspectContent(inspection: Inspection, blob: NeededBlob): Promise<Omit<Suspicion, 'subject'> | null> {
  const { context, signal } = inspection;
  const { id, sha256, size } = blob;
  const read = () =>
    digestOf(context.blobs, { blobId: id, size }, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      return error instanceof Error ? error : new Error(String(error));
    });
  const found = await read();
  if (found instanceof Error)
    return {
      kind: 'bytes-unreadable',
      says: `The bytes of blob ${id} cannot be read: ${found.message}.`,
      again: async () => (await read()) instanceof Error,
    };
  if (found?.sha256 === sha256) return null;
  let damaged: StoredDigest | null = null;
  return {
    kind: 'bytes-damaged',
    says: `The bytes of blob ${id} do not have its SHA-256.`,
    async again() {
      const second = await read();
      damaged = second instanceof Error ? null : second;
      return damaged !== null && damaged.sha256 !== sha256;
    },
    contain: async () => damaged && setAside(inspection, blob, damaged),
  };
}

/** A download then fails instead of returning wrong bytes. The next upload of the bytes, or a backup, fills the gap. */
async function setAside(
  { context, actor }: Inspection,
  { id, sha256 }: NeededBlob,
  { version }: StoredDigest,
): Promise<string | null> {
  let path: string | null = null;
  try {
    return await context.db.transaction().execute(async (tx) => {
      // A concurrent upload that repairs these bytes locks the row.
      await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', id));
      // A transaction that conflicts with another is retried, and by then there is nothing left to move.
      path ??= await context.blobs.setAside(id, version);
      if (path === null) return null;
      await recordAction({ ...context, db: tx }, actor, { subject: id, details: { blob: id, sha256, moved_to: path } });
      return `They were moved to ${path}.`;
    });
  } catch (error) {
    if (error instanceof StorageFull) return 'There is no space to move them out of their place.';
    throw error;
  }
}

const filesNamed = 5;

async function usersOf({ context }: Inspection, { id }: NeededBlob): Promise<string> {
  const users = await context.db
    .selectFrom('files')
    .select('name')
    .where('blob_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(filesNamed + 1)
    .execute();
  if (users.length === 0) return 'No live file uses it.';
  const names = users.slice(0, filesNamed).map(({ name }) => name);
  return `It is used by ${names.join(', ')}${users.length > filesNamed ? ' and others' : ''}.`;
}
