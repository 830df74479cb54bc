import type { Memory } from '../accounts/close-account.ts';
import { malwareLetter } from '../accounts/letters.ts';
import type { Context } from '../context.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { type Bytes, removeBytesEverywhere, type TellOwner } from './remove-bytes-everywhere.ts';

export interface Quarantined {
  readonly accounts: number;
  readonly files: number;
}

/**
 * Takes malware out of every account, tells each owner once, and lets nobody upload it again. Killed half-way, it does
 * the rest when it is called again, which `finishRemovals` sees to.
 * @param signature what was found.
 * @param tellOwner how an owner is told; without it by an email for these bytes alone.
 */
export async function quarantine(
  context: Context,
  memory: Memory,
  bytes: Bytes,
  signature: string,
  tellOwner: TellOwner = (tx, owner, withheld) =>
    queueLetter({ ...context, db: tx }, malwareLetter(context, owner.email, withheld)),
): Promise<Quarantined> {
  const taken = await removeBytesEverywhere(context, memory, bytes, 'malware', signature, tellOwner);
  await context.db
    .updateTable('blobs')
    .set({ scan_state: 'infected', scanned_at: context.clock.now(), scan_tries: 0 })
    .where('sha256', '=', bytes.sha256)
    .execute();
  if (taken.files > 0) context.log.warn({ sha256: bytes.sha256, signature, ...taken }, 'malware is in quarantine');
  return taken;
}
