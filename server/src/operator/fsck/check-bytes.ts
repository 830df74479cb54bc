import { BlobMissing, type BlobId, StorageFull } from '../../storage/blobs/blobs.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { digestOf, type StoredDigest } from '../../files/read-blob.ts';
import { type FindingKind, type Inspection, pagesById, pageSize } from './inspection.ts';
import { recordAction } from '../record-action.ts';

interface NeededBlob {
  readonly id: BlobId;
  readonly sha256: string;
  readonly size: number;
}

/**
 * Checks that every used or held blob has bytes of its size, and with `scrub` of its SHA-256. Rows and stored bytes are
 * both read in the order of their ids, side by side.
 */
export async function checkBytes(inspection: Inspection): Promise<void> {
  const { context, signal, scrub, checked } = inspection;
  const stored = context.blobs.list()[Symbol.asyncIterator]();
  try {
    let next = await stored.next();
    for await (const page of pagesById<NeededBlob>(signal, (after) => readNeeded(inspection, '>', after))) {
      for (const blob of page) {
        while (next.done !== true && next.value.id < blob.id) next = await stored.next();
        const size = next.done !== true && next.value.id === blob.id ? next.value.size : null;
        if (size !== blob.size) await suspectSize(inspection, blob, size);
        else if (scrub) await checkContent(inspection, blob);
        signal.throwIfAborted();
      }
      checked('blobs', page.length);
    }
  } finally {
    await stored.return?.();
  }
}

function readNeeded({ context: { db } }: Inspection, operator: '>' | '=', id: string): Promise<NeededBlob[]> {
  return db
    .selectFrom('blobs')
    .select(['id', 'sha256', 'size'])
    .where('id', operator, id as BlobId)
    .where((eb) => eb.or([eb('used_by', '>', 0), eb('held_for', 'is not', null)]))
    .orderBy('id')
    .limit(pageSize)
    .execute();
}

/** `size` is the stored size, null if there are no bytes. */
async function suspectSize(
  inspection: Inspection,
  { id, size: wanted }: NeededBlob,
  size: number | null,
): Promise<void> {
  const { blobs } = inspection.context;
  const sizeNow = () =>
    blobs.size(id).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
  const [kind, says]: [FindingKind, string] =
    size === null
      ? ['bytes-missing', `The bytes of blob ${id} are missing.`]
      : ['bytes-wrong-size', `Blob ${id} is stored with ${size} bytes instead of ${wanted}.`];
  await suspect(inspection, id, kind, says, async () => (await sizeNow()) !== wanted);
}

/** Bytes are damaged if two reads in a row find them so. */
async function checkContent(inspection: Inspection, blob: NeededBlob): Promise<void> {
  const { context, signal } = inspection;
  const { id, sha256, size } = blob;
  const read = () =>
    digestOf(context.blobs, { blobId: id, size }, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      return error instanceof Error ? error : new Error(String(error));
    });
  const found = await read();
  if (found instanceof Error) {
    const says = `The bytes of blob ${id} cannot be read: ${found.message}.`;
    await suspect(inspection, id, 'bytes-unreadable', says, async () => (await read()) instanceof Error);
    return;
  }
  if (found?.sha256 === sha256) return;
  let damaged: StoredDigest | null = null;
  await suspect(
    inspection,
    id,
    'bytes-damaged',
    `The bytes of blob ${id} do not have its SHA-256.`,
    async () => {
      const again = await read();
      damaged = again instanceof Error ? null : again;
      return damaged !== null && damaged.sha256 !== sha256;
    },
    async () => (damaged === null ? null : setAside(inspection, blob, damaged)),
  );
}

/**
 * Moves damaged bytes away, so that a download fails instead of returning wrong bytes. The next upload of the same
 * bytes, or a backup, fills the gap.
 */
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

async function suspect(
  inspection: Inspection,
  id: BlobId,
  kind: FindingKind,
  says: string,
  isFault: () => Promise<boolean>,
  contain?: () => Promise<string | null>,
): Promise<void> {
  const users = await inspection.context.db
    .selectFrom('files')
    .select('name')
    .where('blob_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(filesNamed + 1)
    .execute();
  const names = users.slice(0, filesNamed).map(({ name }) => name);
  const others = users.length > filesNamed ? ' and others' : '';
  const usedBy = names.length === 0 ? 'No live file uses it.' : `It is used by ${names.join(', ')}${others}.`;
  await inspection.suspect({
    kind,
    subject: id,
    says: `${says} ${usedBy}`,
    // The files may have been deleted meanwhile, and the bytes with them.
    again: async () => (await readNeeded(inspection, '=', id)).length > 0 && (await isFault()),
    ...(contain && { contain }),
  });
}
