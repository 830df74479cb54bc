import { digestOf } from '../../files/read-blob.ts';
import { messageOf } from '../../lib/message-of.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { type BlobId, BlobMissing, type BlobStore, BlobUnreadable } from '../../storage/blobs/blobs.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { recordAction } from '../../storage/db/record-action.ts';
import { besideStored, type BlobRow, readNeeded } from '../backup/copy-blobs.ts';
import type { Inspection, Suspicion } from './fsck.ts';

export async function* findWrongBytes(inspection: Inspection): AsyncGenerator<Suspicion> {
  const { context, signal, scrub, checked } = inspection;
  const { db, blobs } = context;
  const folders: BlobUnreadable[] = [];
  const onUnreadable = (error: BlobUnreadable) => void folders.push(error);
  for await (const { row, size } of besideStored(blobs, (after) => readNeeded(db, '>', after), { onUnreadable })) {
    signal.throwIfAborted();
    const suspect = size === row.size ? (scrub ? suspectContent : null) : suspectSize;
    const found = await suspect?.(inspection, row);
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
  for (const { message } of folders)
    yield { kind: 'bytes-unreadable', subject: 'storage', says: `${message}.`, again: async () => true };
}

type Found = Omit<Suspicion, 'subject'>;

function ifOfBytes(error: unknown): BlobMissing | BlobUnreadable {
  if (error instanceof BlobMissing || error instanceof BlobUnreadable) return error;
  throw error;
}

async function suspectSize({ context: { blobs } }: Inspection, { id, size }: BlobRow): Promise<Found | null> {
  const look = () => blobs.size(id).catch(ifOfBytes);
  const found = await look();
  const again = async () => (await look()) !== size;
  if (found instanceof BlobUnreadable) return { kind: 'bytes-unreadable', says: `${found.message}.`, again };
  if (found instanceof BlobMissing)
    return { kind: 'bytes-missing', says: `The bytes of blob ${id} are missing.`, again };
  const says = `Blob ${id} is stored with ${found} bytes instead of ${size}.`;
  return found === size ? null : { kind: 'bytes-wrong-size', says, again };
}

/** Bytes are damaged if two reads in a row find them so. */
async function suspectContent(inspection: Inspection, blob: BlobRow): Promise<Found | null> {
  const { context, signal, repair } = inspection;
  const { id, sha256, size } = blob;
  const read = () => digestOf(context.blobs, { blobId: id, size }, signal).catch(ifOfBytes);
  const found = await read();
  if (found instanceof BlobUnreadable)
    return {
      kind: 'bytes-unreadable',
      says: `${found.message}.`,
      again: async () => (await read()) instanceof BlobUnreadable,
      // A storage that fails for a moment would lose all of its bytes to it.
      ...(repair && { contain: async () => setAside(inspection, blob, await versionOf(context.blobs, id)) }),
    };
  if (found instanceof BlobMissing) return suspectSize(inspection, blob);
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

async function versionOf(blobs: BlobStore, id: BlobId): Promise<string> {
  const reader = await blobs.open(id, 0, 0).catch(ifOfBytes);
  if (reader instanceof Error) return '';
  await using opened = reader;
  return opened.version;
}

/** A download then fails instead of returning wrong bytes. */
async function setAside({ context, actor }: Inspection, { id, sha256 }: BlobRow, version: string) {
  const { db, blobs } = context;
  let path: string | null = null;
  let refusal: unknown = null;
  try {
    return await db.transaction().execute(async (tx) => {
      // A concurrent upload that repairs these bytes locks the row.
      await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', id));
      // A transaction that conflicts with another is retried, and by then there is nothing left to move.
      path ??= await blobs.setAside(id, version).catch((error: unknown) => {
        throw (refusal = error);
      });
      if (path === null) return null;
      await recordAction({ ...context, db: tx }, actor, { subject: id, details: { blob: id, sha256, moved_to: path } });
      return `They were moved to ${path}.`;
    });
  } catch (error) {
    if (path !== null) return `They were moved to ${path as string}, which was not recorded: ${messageOf(error)}.`;
    if (refusal === null || refusal instanceof OperatorError) throw error;
    return `They could not be moved out of their place: ${messageOf(refusal)}.`;
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
