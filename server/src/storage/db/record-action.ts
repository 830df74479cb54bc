import type { Clock } from '../../lib/clock.ts';
import { newRowId } from '../../lib/row-id.ts';
import type { Database } from './database.ts';

export interface Actor {
  readonly operator: string;
  /** The user who became `operator` with sudo. */
  readonly sudoUser?: string | null;
  readonly action: string;
}

interface Entry {
  readonly subject: string;
  readonly reference?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Inserts an entry into the audit log. `db` is the transaction of the action, if it has one. */
export async function recordAction(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { operator, sudoUser = null, action }: Actor,
  { subject, reference = null, details = {} }: Entry,
): Promise<void> {
  const at = clock.now();
  await db
    .insertInto('operator_actions')
    .values({
      id: newRowId(at),
      at,
      operator,
      sudo_user: sudoUser,
      action,
      subject,
      reference,
      details: JSON.stringify(details),
    })
    .execute();
}
