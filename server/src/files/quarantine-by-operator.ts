import type { Memory } from '../accounts/close-account.ts';
import { type Actor, recordAction } from '../accounts/record-action.ts';
import type { Context } from '../context.ts';
import type { FoundBytes } from './find-bytes.ts';
import { type Quarantined, quarantine } from './quarantine.ts';
import { wouldTakeDown } from './take-down.ts';

/** Withholds bytes as malware on an operator's word, as the scanner would: `because` is what it is. */
export async function quarantineByOperator(
  context: Context,
  memory: Memory,
  actor: Actor,
  bytes: FoundBytes,
  because: string,
): Promise<Quarantined> {
  const planned = await wouldTakeDown(context, bytes);
  // Before, not after: killed in between, the log tells of more than was done, and never of less.
  await recordAction(context, actor, {
    subject: bytes.name ?? bytes.sha256,
    details: { sha256: bytes.sha256, because, ...planned },
  });
  return quarantine(context, memory, bytes, because);
}
