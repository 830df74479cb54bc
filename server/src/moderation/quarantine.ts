import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import { malwareEmail } from '../email/templates.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { type Bytes, removeBytesEverywhere, type TellOwner } from './remove-bytes-everywhere.ts';

export interface Quarantined {
  readonly accounts: number;
  readonly files: number;
}

/**
 * Removes malware from every account, notifies each owner once, and blocks further uploads of it. If it is killed
 * halfway, the next call finishes the work; `finishRemovals` makes that call.
 * @param signature the malware that was found.
 * @param tellOwner notifies an owner; by default with an email about these bytes alone.
 */
export async function quarantine(
  context: Context,
  memory: BlobMemory,
  bytes: Bytes,
  signature: string,
  tellOwner: TellOwner = (tx, owner, withheld) =>
    queueEmail({ ...context, db: tx }, malwareEmail(context, owner.email, withheld)),
): Promise<Quarantined> {
  const taken = await removeBytesEverywhere(context, memory, bytes, 'malware', signature, tellOwner);
  await context.db
    .updateTable('blobs')
    .set({ scan_state: 'infected', scanned_at: context.clock.now(), scan_tries: 0 })
    .where('sha256', '=', bytes.sha256)
    .execute();
  if (taken.files > 0) context.log.warn({ sha256: bytes.sha256, signature, ...taken }, 'malware was quarantined');
  return taken;
}
