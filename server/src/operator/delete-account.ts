import { closeAccount } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import { noBlobMemory } from '../engines/blobs/blob-memory.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { emptyAccount } from '../files/empty-account.ts';
import { type Actor, recordAction } from './record-action.ts';

/** Deletes an account with all its files, as its owner could. The audit log says why. */
export async function deleteAccount(
  context: Context,
  actor: Actor,
  account: AccountRow,
  because: string | null,
  signal: AbortSignal,
): Promise<void> {
  const { email, slots_used: files, space_used: bytes, level: plan } = account;
  await closeAccount(context, account, (tx) =>
    recordAction({ ...context, db: tx }, actor, { subject: email, details: { files, bytes, plan, because } }),
  );
  await emptyAccount(context, noBlobMemory, account.id, signal);
}
