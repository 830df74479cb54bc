import { Failure } from '@holdfast/contract/src/errors.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import { newBlobId } from '../engines/blobs/blob-id.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import { type BlobId, BlobMissing, BlobsUnavailable, StorageFull } from '../engines/blobs/blobs.ts';
import { isDatabaseFull, type Transaction } from '../engines/database/database.ts';
import { prepared } from '../engines/database/prepared.ts';
import type { BlobRow, Flag, HoldReason, Schema } from '../engines/database/schema.ts';
import { type Bound, statement } from '../engines/database/statement.ts';
import { digestOf } from '../files/digest-of.ts';
import { blockedDigest } from '../moderation/blocklist.ts';
import type { FileOfForm, Received, StoreBytes } from './receive-form.ts';
import type { Scanned } from './scan-upload.ts';

/** The bytes that one upload stores, from the first of them until a row points at them or they are removed. */
export interface UploadBlob {
  /**
   * Reads a form and stores its file by the function that `read` is called with. When it rejects, nothing is left
   * behind.
   * @throws {Failure} UPLOAD_STORAGE_FULL, UNAVAILABLE.
   */
  receive(read: (store: StoreBytes) => Promise<FileOfForm>): Promise<Received>;
  /**
   * The statements that insert the row of these bytes or lock the one of equal bytes, and then find out whether they are
   * blocked.
   */
  rowStatements(tx: Transaction, received: Received, scanned: Scanned, now: number): RowStatements;
  /**
   * Returns the blob that holds these bytes: the one just written, or an equal existing one, repaired if it was lost.
   * `row` is that of the first statement.
   */
  share(row: SharedRow, received: Received, scanned: Scanned): Promise<SharedBlob>;
  /** The blob of the row that is committed or about to be; null until the transaction has inserted that row. */
  committing: BlobId | null;
  /**
   * Runs the rest of the upload, and afterwards removes the bytes unless a row points at them. If that is unknown, the
   * heartbeat gives them a row when the database is back.
   * @throws {Failure} UPLOAD_STORAGE_FULL.
   */
  settle<T>(keep: () => Promise<T>): Promise<T>;
}

export interface SharedBlob {
  readonly blobId: BlobId;
  /** 1 if the bytes must not be served before they are scanned. */
  readonly pendingScan: Flag;
}

type SharedRow = Pick<BlobRow, 'id' | 'scan_state'>;

type RowStatements = readonly [Bound<SharedRow>, Bound<{ readonly reason: HoldReason }>];

type Parts = Pick<Context, 'blobs' | 'log' | 'unsettled'>;

export function openUploadBlob({ blobs, log, unsettled }: Parts, memory: BlobMemory): UploadBlob {
  const blobId = newBlobId();
  let size = 0;
  let movedTo: BlobId | null = null;

  /** The upload is complete, so a failed cleanup must not make it fail. */
  async function removeSpare(): Promise<void> {
    await blobs
      .remove(blobId)
      .catch((error: unknown) => log.warn({ err: error, blob: blobId }, 'unneeded bytes could not be removed'));
  }

  const blob: UploadBlob = {
    committing: null,
    async receive(read) {
      let isStored = false;
      try {
        const file = await read(async (source) => {
          const written = await blobs.write(blobId, source).catch((error: unknown) => {
            throw refusalOf(error);
          });
          isStored = true;
          return written;
        });
        size = file.size;
        return { ...file, blobId };
      } catch (error) {
        if (isStored) await blobs.remove(blobId);
        throw error;
      }
    },
    rowStatements: (tx, received, { state, at }, now) => [
      addOrShare[state](tx, { id: blobId, sha256: received.sha256, size: received.size, now, scannedAt: at }),
      blockedDigest(tx, received),
    ],
    async share(row, received, scanned) {
      const shared: SharedBlob = {
        blobId: row.id,
        pendingScan: scanned.state === 'pending' && row.scan_state === 'pending' ? 1 : 0,
      };
      const isShared = shared.blobId !== blobId;
      if (isShared && (await mendBlob({ blobs, log }, memory, shared.blobId, received))) movedTo = shared.blobId;
      if (!isShared && movedTo !== null) {
        // The transaction runs again, and the purge has taken the blob that the bytes were moved to.
        await blobs.replace(movedTo, blobId);
        movedTo = null;
      }
      return shared;
    },
    async settle(keep) {
      try {
        const kept = await keep();
        if (blob.committing !== blobId) await removeSpare();
        return kept;
      } catch (error) {
        // If the outcome of a commit is unknown, the row may exist.
        if (blob.committing !== blobId) await blobs.remove(blobId);
        else if (unsettled.size < mostUnsettled) unsettled.set(blobId, size);
        throw isDatabaseFull(error) || error instanceof StorageFull ? storageFull(error) : error;
      }
    },
  };
  return blob;
}

/** An outage leaves at most one for each connection. The sweep finds those beyond this number. */
const mostUnsettled = 10_000;

function refusalOf(error: unknown): unknown {
  if (error instanceof BlobsUnavailable) return new Failure('UNAVAILABLE', undefined, { cause: error });
  return error instanceof StorageFull ? storageFull(error) : error;
}

const storageFull = (cause: unknown) => new Failure('UPLOAD_STORAGE_FULL', undefined, { cause });

interface NewBlob {
  readonly id: BlobId;
  readonly sha256: string;
  readonly size: number;
  readonly now: number;
  readonly scannedAt: number;
}

const inState = (state: Scanned['state']) =>
  statement((db, { id, sha256, size, now, scannedAt }: NewBlob) =>
    db
      .insertInto('blobs')
      .values({
        id,
        sha256,
        size,
        used_by: 1,
        unused_since: null,
        created_at: now,
        scan_state: state,
        scanned_at: scannedAt,
      })
      .onConflict((conflict) =>
        conflict.column('sha256').doUpdateSet((eb) => ({
          used_by: eb('blobs.used_by', '+', 1),
          unused_since: null,
          scan_state: stateAfter(eb, state, scannedAt),
          scanned_at: eb
            .case()
            .when('blobs.scanned_at', '<', scannedAt)
            .then(scannedAt)
            .else(eb.ref('blobs.scanned_at'))
            .end(),
        })),
      )
      .returning(['id', 'scan_state'])
      .modifyEnd(prepared),
  );

const addOrShare = {
  unscanned: inState('unscanned'),
  pending: inState('pending'),
  clean: inState('clean'),
  unscannable: inState('unscannable'),
} satisfies Record<Scanned['state'], unknown>;

/** A new verdict replaces the old one; a missing verdict does not. */
function stateAfter(eb: ExpressionBuilder<Schema, 'blobs'>, state: Scanned['state'], at: number) {
  const before = eb.ref('blobs.scan_state');
  if (state === 'unscanned') return before;
  const known =
    state === 'pending' ? eb('blobs.scan_state', 'in', ['clean', 'unscannable']) : eb('blobs.scanned_at', '>', at);
  return eb.case().when(known).then(before).else(state).end();
}

/** A larger blob is compared by size alone, because all other database writes wait while an upload commits. */
const largestHashed = 1024 * 1024;

/**
 * Repairs a lost or damaged blob with the equal bytes just received. Without this, the uploader would see a successful
 * upload whose bytes cannot be downloaded. The transaction must hold a lock on the blob's row, so that only one of
 * several uploads repairs it. Whether or not it commits, the bytes are right for that blob. Returns whether it repaired
 * the blob.
 * @throws {StorageFull} when there is no space left.
 */
async function mendBlob(
  { blobs, log }: Pick<Context, 'blobs' | 'log'>,
  memory: BlobMemory,
  blobId: BlobId,
  { blobId: from, size, sha256 }: Received,
): Promise<boolean> {
  const stored = await blobs.size(blobId).catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });
  const isWhole =
    stored === size && (size > largestHashed || (await digestOf(blobs, { blobId, size }))?.sha256 === sha256);
  if (isWhole) return false;
  await blobs.replace(from, blobId);
  memory.forget([blobId]);
  log.error(
    { blob: blobId, stored, size },
    'ALARM: stored bytes were missing or damaged; an upload of the same bytes has repaired them',
  );
  return true;
}
