import { malwareEmail } from '../email/templates.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { type Actor, recordAction } from '../storage/db/record-action.ts';
import { countLive, type FoundBytes } from './find-file.ts';
import { type Bytes, removeBytesEverywhere } from './remove-bytes-everywhere.ts';
import { isToldLater } from './rescan-finds.ts';

/** If it is killed halfway, `finishRemovals` finishes it. */
export async function quarantine(context: Context, bytes: Bytes, signature: string) {
  const { sha256 } = bytes;
  const taken = await removeBytesEverywhere(context, bytes, 'malware', signature, async (tx, owner, withheld) => {
    if (await isToldLater(tx, sha256)) return;
    await queueEmail({ ...context, db: tx }, malwareEmail(context, owner.email, withheld));
  });
  await context.db
    .updateTable('blobs')
    .set({ scan_state: 'infected', scanned_at: context.clock.now(), scan_tries: 0 })
    .where('sha256', '=', sha256)
    .execute();
  if (taken.files > 0) context.log.warn({ sha256, signature, ...taken }, 'malware was quarantined');
  return taken;
}

export async function quarantineByOperator(context: Context, actor: Actor, bytes: FoundBytes, because: string) {
  const { sha256, name, blobId } = bytes;
  const details = { sha256, because, ...(await countLive(context.db, blobId)) };
  // Logs before acting: if the process is killed in between, the log lists more than was done, never less.
  await recordAction(context, actor, { subject: name ?? sha256, details });
  return quarantine(context, bytes, because);
}
