import { setTimeout } from 'node:timers/promises';
import { recordAction } from '../record-action.ts';
import { BlobMissing, type BlobId, type StoredBlob, StorageFull } from '../../engines/blobs/blobs.ts';
import { lockRows } from '../../engines/database/lock-rows.ts';
import { digestOf, type StoredDigest } from '../../files/digest-of.ts';
import { seconds } from '../../lib/clock.ts';
import { adoptStrays } from '../../maintenance/adopt-strays.ts';
import { youngestStray } from '../../maintenance/jobs/sweep-strays.ts';
import { readKills } from '../../maintenance/processes.ts';
import { otherStorage } from './check-owner.ts';
import { type FindingKind, type Inspection, pageSize } from './inspection.ts';
import { pagesById } from './pages.ts';

interface NeededBlob {
  readonly id: BlobId;
  readonly sha256: string;
  readonly size: number;
  readonly used_by: number;
  readonly held_for: string | null;
}

/**
 * Checks that every used or held blob has its bytes, and that no bytes lack a row. Rows and bytes are both read in the
 * order of their ids, side by side.
 */
export async function checkBytes(inspection: Inspection): Promise<void> {
  const { context, signal } = inspection;
  const stored = context.blobs.list()[Symbol.asyncIterator]();
  let next = await stored.next();
  const mayMend = plausibleStrays(context);
  const wasKilledAt = await readKills(context);
  let strays: StoredBlob[] = [];
  const suspectStrays = async (): Promise<void> => {
    const settled = settling(signal);
    for (const stray of strays)
      await suspectStray(inspection, stray, { mayMend, settled, isExpected: wasKilledAt(stray.storedAt) });
    strays = [];
  };
  const takeStray = async (): Promise<void> => {
    signal.throwIfAborted();
    if (next.done === true) return;
    // Uploads write their bytes before the row, so young bytes without a row are no strays yet.
    if (next.value.storedAt <= context.clock.now() - youngestStray) strays.push(next.value);
    if (strays.length === pageSize) await suspectStrays();
    inspection.checked('stored', 1);
    next = await stored.next();
  };
  try {
    for await (const page of pagesById(
      signal,
      ({ id }: NeededBlob) => id,
      (after) => readPage(inspection, after),
    ))
      for (const blob of page) {
        while (next.done !== true && next.value.id < blob.id) await takeStray();
        const isStored = next.done !== true && next.value.id === blob.id;
        await checkBlob(inspection, blob, isStored && next.done !== true ? next.value.size : null);
        if (!isStored) continue;
        next = await stored.next();
        inspection.checked('stored', 1);
      }
    while (next.done !== true) await takeStray();
    await suspectStrays();
  } finally {
    await stored.return?.();
  }
}

/** Reads all rows: bytes with a row are not strays, whether they are needed or not. */
async function readPage({ context: { db } }: Inspection, after: BlobId): Promise<NeededBlob[]> {
  return db
    .selectFrom('blobs')
    .select(['id', 'sha256', 'size', 'used_by', 'held_for'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(pageSize)
    .execute();
}

/**
 * `size` is the stored size, null if there are no bytes. A blob that is not needed may be about to be deleted, so it is
 * skipped.
 */
async function checkBlob(inspection: Inspection, blob: NeededBlob, size: number | null): Promise<void> {
  if (blob.used_by === 0 && blob.held_for === null) return;
  const { id, size: wanted } = blob;
  const tell = async (kind: FindingKind, says: string, isFault: () => Promise<boolean>) =>
    inspection.suspect({
      kind,
      subject: id,
      says: `${says} ${await usersOf(inspection, id)}`,
      again: async () => (await isNeeded(inspection, id)) && (await isFault()),
    });
  const storedSize = () => sizeOf(inspection, id);
  if (size === null)
    await tell('bytes-missing', `The bytes of blob ${id} are missing.`, async () => (await storedSize()) === null);
  else if (size !== wanted)
    await tell(
      'bytes-wrong-size',
      `Blob ${id} is stored with ${size} bytes instead of ${wanted}.`,
      async () => (await storedSize()) !== wanted,
    );
  else if (inspection.scrub) await checkContent(inspection, blob);
}

async function checkContent(inspection: Inspection, blob: NeededBlob): Promise<void> {
  const { context, signal, suspect } = inspection;
  const { id, sha256, size } = blob;
  const read = () => digestOf(context.blobs, { blobId: id, size }, signal);
  if ((await read())?.sha256 === sha256) return;
  let damaged: StoredDigest | null = null;
  await suspect({
    kind: 'bytes-damaged',
    subject: id,
    says: `The bytes of blob ${id} do not have its SHA-256. ${await usersOf(inspection, id)}`,
    async again() {
      damaged = await read();
      return damaged?.sha256 !== sha256 && (await isNeeded(inspection, id));
    },
    contain: async () => (damaged === null ? '' : setAside(inspection, blob, damaged)),
  });
}

/**
 * Moves damaged bytes away, so that a download fails instead of returning wrong bytes. The next upload of the same
 * bytes, or a backup, fills the gap.
 */
async function setAside(
  { context, actor, memory }: Inspection,
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
      memory.forget([id]);
      await recordAction({ ...context, db: tx }, actor, { subject: id, details: { blob: id, sha256, moved_to: path } });
      return `They were moved to ${path}.`;
    });
  } catch (error) {
    if (error instanceof StorageFull) return 'There is no space to move them out of their place.';
    throw error;
  }
}

async function isNeeded({ context: { db } }: Inspection, id: BlobId): Promise<boolean> {
  const row = await db
    .selectFrom('blobs')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('used_by', '>', 0), eb('held_for', 'is not', null)]))
    .executeTakeFirst();
  return row !== undefined;
}

async function sizeOf({ context: { blobs } }: Inspection, id: BlobId): Promise<number | null> {
  return blobs.size(id).catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });
}

const filesNamed = 5;

async function usersOf({ context: { db } }: Inspection, id: BlobId): Promise<string> {
  const rows = await db
    .selectFrom('files')
    .select('name')
    .where('blob_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(filesNamed + 1)
    .execute();
  if (rows.length === 0) return 'No live file uses it.';
  const names = rows.slice(0, filesNamed).map((row) => row.name);
  return `It is used by ${names.join(', ')}${rows.length > filesNamed ? ' and others' : ''}.`;
}

/**
 * With the wrong database all bytes look like strays and the purge would delete them, so more than this share is not
 * repaired.
 */
const plausibleShare = 0.05;
const alwaysPlausible = 10;

function plausibleStrays(context: Inspection['context']): StrayOptions['mayMend'] {
  const { db } = context;
  let isOwn: boolean | undefined;
  let strays = 0;
  let limit: number | undefined;
  return async (isExpected) => {
    isOwn ??= (await otherStorage(context)) === null;
    if (!isOwn) return false;
    if (isExpected) return true;
    strays += 1;
    if (strays <= alwaysPlausible) return true;
    limit ??= (await countBlobs(db)) * plausibleShare;
    return strays <= limit;
  };
}

async function countBlobs(db: Inspection['context']['db']): Promise<number> {
  const rows = db.selectFrom('blobs').select((eb) => eb.fn.countAll<number>().as('blobs'));
  return (await rows.executeTakeFirstOrThrow()).blobs;
}

/** Wait for a running purge, which deletes the rows of a batch before their bytes. */
const purgeTakes = seconds(2);

/** Waits for `purgeTakes` once, for all strays seen so far. */
function settling(signal: AbortSignal): () => Promise<void> {
  let settled: Promise<void> | undefined;
  return () => (settled ??= setTimeout(purgeTakes, undefined, { signal }));
}

interface StrayOptions {
  readonly mayMend: (isExpected: boolean) => Promise<boolean>;
  readonly settled: () => Promise<void>;
  /** A process was killed when it was stored. */
  readonly isExpected: boolean;
}

async function suspectStray(
  inspection: Inspection,
  { id, size }: StoredBlob,
  { mayMend, settled, isExpected }: StrayOptions,
): Promise<void> {
  const { context, actor } = inspection;
  const isStray = async () =>
    (await sizeOf(inspection, id)) !== null &&
    !(await context.db.selectFrom('blobs').select('id').where('id', '=', id).executeTakeFirst());
  await inspection.suspect({
    kind: 'stray-bytes',
    subject: id,
    says: `${size} bytes are stored as ${id}, and no row knows them.`,
    async again() {
      if (!(await isStray())) return false;
      await settled();
      return isStray();
    },
    // Strays get a row as a blob without files, and the purge deletes them a day later.
    mend: async () => {
      if (!(await mayMend(isExpected))) return false;
      await context.db.transaction().execute(async (tx) => {
        await adoptStrays({ ...context, db: tx }, [{ id, size }]);
        await recordAction({ ...context, db: tx }, actor, { subject: id, details: { stray: id, size } });
      });
      return true;
    },
  });
}
