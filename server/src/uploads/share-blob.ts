import type { ExpressionBuilder } from 'kysely';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { Flag, Schema } from '../engines/database/schema.ts';
import type { Received } from './receive-form.ts';
import { refuseBlocked } from '../moderation/blocklist.ts';
import type { Scanned } from './scan-upload.ts';

export interface SharedBlob {
  readonly blobId: BlobId;
  /** 1 if the bytes must not be served before they are scanned. */
  readonly pendingScan: Flag;
}

/**
 * Returns the blob that holds these bytes: the one just written, or an equal existing one.
 * @throws {Failure} UPLOAD_MALWARE, UPLOAD_BLOCKED.
 */
export async function shareBlob(
  tx: Transaction,
  { blobId, sha256, size }: Received,
  scanned: Scanned,
  now: number,
): Promise<SharedBlob> {
  const row = await tx
    .insertInto('blobs')
    .values({
      id: blobId,
      sha256,
      size,
      used_by: 1,
      unused_since: null,
      created_at: now,
      scan_state: scanned.state,
      scanned_at: scanned.at,
    })
    .onConflict((conflict) =>
      conflict.column('sha256').doUpdateSet((eb) => ({
        used_by: eb('blobs.used_by', '+', 1),
        unused_since: null,
        scan_state: stateAfter(eb, scanned),
        scanned_at: eb
          .case()
          .when('blobs.scanned_at', '<', scanned.at)
          .then(scanned.at)
          .else(eb.ref('blobs.scanned_at'))
          .end(),
      })),
    )
    .returning(['id', 'scan_state'])
    .executeTakeFirstOrThrow();
  await refuseBlocked(tx, sha256);
  return { blobId: row.id, pendingScan: scanned.state === 'pending' && row.scan_state === 'pending' ? 1 : 0 };
}

/** A new verdict replaces the old one; a missing verdict does not. */
function stateAfter(eb: ExpressionBuilder<Schema, 'blobs'>, { state, at }: Scanned) {
  const before = eb.ref('blobs.scan_state');
  if (state === 'unscanned') return before;
  const known =
    state === 'pending' ? eb('blobs.scan_state', 'in', ['clean', 'unscannable']) : eb('blobs.scanned_at', '>', at);
  return eb.case().when(known).then(before).else(state).end();
}
