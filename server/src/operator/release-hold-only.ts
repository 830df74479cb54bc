import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { FoundBytes } from './find-bytes.ts';
import { type Hold, holdsOn, isSame } from './holds.ts';
import { closeCase, noteAction, type RestoreOrder } from './restore-files.ts';

/**
 * Ends only this hold if something else holds the bytes too: no file is restored, and the other holds take over the
 * block. Returns the other holds. If there are none, nothing has changed.
 */
export function releaseHoldOnly(context: Context, { actor, bytes, hold }: RestoreOrder): Promise<readonly Hold[]> {
  return context.db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', bytes.blobId));
    const others = (await holdsOn(tx, bytes)).filter((each) => !isSame(each, hold));
    const [first] = others;
    if (!first) return [];
    const now = context.clock.now();
    if (hold.kind === 'case') await endCase(tx, now, bytes, hold.reference);
    else await endQuarantine(tx, now, bytes);
    await handTo(tx, bytes, first);
    await noteAction(context, tx, { actor, bytes, hold }, { files: 0, stillHeld: true });
    return others;
  });
}

async function endCase(tx: Transaction, now: number, bytes: FoundBytes, reference: string): Promise<void> {
  await closeCase(tx, now, bytes, reference);
  await tx
    .updateTable('takedowns')
    .set({ restored_at: now })
    .where('reference', '=', reference)
    .where('sha256', '=', bytes.sha256)
    .where('restored_at', 'is', null)
    .execute();
}

async function endQuarantine(tx: Transaction, now: number, { blobId }: FoundBytes): Promise<void> {
  await tx
    .updateTable('blobs')
    .set({ scan_state: 'clean', scanned_at: now, scan_tries: 0 })
    .where('id', '=', blobId)
    .execute();
}

async function handTo(tx: Transaction, { sha256, blobId }: FoundBytes, hold: Hold): Promise<void> {
  const reason = hold.kind === 'case' ? 'takedown' : 'malware';
  await tx.updateTable('blobs').set({ held_for: reason }).where('id', '=', blobId).execute();
  await tx
    .updateTable('blocked_digests')
    .set({ reason, ...(hold.kind === 'case' && { reference: hold.reference }) })
    .where('sha256', '=', sha256)
    .execute();
}
