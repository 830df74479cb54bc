import { digestOf } from '../../files/read-blob.ts';
import { BlobMissing, StorageFull } from '../../storage/blobs/blobs.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { recordAction } from '../../storage/db/record-action.ts';
import { besideStored, type BlobRow, readNeeded } from '../backup/copy-blobs.ts';
import type { Inspection, Suspicion } from './fsck.ts';

export async function* findWrongBytes(inspection: Inspection): AsyncGenerator<Suspicion> {
  const { context, signal, scrub, checked } = inspection;
  const { db, blobs } = context;
  for await (const { row, size } of besideStored(blobs, (after) => readNeeded(db, '>', after))) {
    signal.throwIfAborted();
    const found =
      size === row.size ? scrub && (await suspectContent(inspection, row)) : suspectSize(inspection, row, size);
    if (found)
      yield {
        ...found,
        subject: row.id,
        says: `${found.says} ${await usersOf(inspection, row)}`,
        // The files may have been deleted meanwhile, and the bytes with them.
        again: async () => (await readNeeded(db, '=', row.id)).length > 0 && found.again(),
      };
    checked('blobs');
  }
}

type Found = Omit<Suspicion, 'subject'>;

function suspectSize({ context: { blobs } }: Inspection, { id, size: wanted }: BlobRow, size: number | null): Found {
  const sizeNow = () =>
    blobs.size(id).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
  const again = async () => (await sizeNow()) !== wanted;
  return size === null
    ? { kind: 'bytes-missing', says: `The bytes of blob ${id} are missing.`, again }
    : { kind: 'bytes-wrong-size', says: `Blob ${id} is stored with ${size} bytes instead of ${wanted}.`, again };
}

/** Bytes are damaged if two reads in a row find them so. */
async function suspectContent(inspection: Inspection, blob: BlobRow): Promise<Found | null> {
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
  let version: string | null = null;
  return {
    kind: 'bytes-damaged',
    says: `The bytes of blob ${id} do not have its SHA-256.`,
    async again() {
      const second = await read();
      version = second === null || second instanceof Error || second.sha256 === sha256 ? null : second.version;
      return version !== null;
    },
    contain: async () => version && setAside(inspection, blob, version),
  };
}

/** A download then fails instead of returning wrong bytes. */
async function setAside({ context, actor }: Inspection, { id, sha256 }: BlobRow, version: string) {
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

async function usersOf({ context }: Inspection, { id }: BlobRow): Promise<string> {
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
