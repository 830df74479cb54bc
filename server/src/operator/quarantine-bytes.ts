import { type Actor, recordAction } from './record-action.ts';
import type { Context } from '../context.ts';
import type { FoundBytes } from './find-bytes.ts';
import { type Quarantined, quarantine } from '../moderation/quarantine.ts';
import { wouldTakeDown } from './take-down.ts';

/** Quarantines bytes as malware by decision of an operator, as the scanner would; `because` names the malware. */
export async function quarantineByOperator(
  context: Context,
  actor: Actor,
  bytes: FoundBytes,
  because: string,
): Promise<Quarantined> {
  const planned = await wouldTakeDown(context, bytes);
  // Logs before acting: if the process is killed in between, the log lists more than was done, never less.
  await recordAction(context, actor, {
    subject: bytes.name ?? bytes.sha256,
    details: { sha256: bytes.sha256, because, ...planned },
  });
  return quarantine(context, bytes, because);
}
