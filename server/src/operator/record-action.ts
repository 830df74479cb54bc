import type { Context } from '../context.ts';
import { newRowId } from '../lib/row-id.ts';

/** The operator, and the command, such as 'file take-down'. */
export interface Actor {
  /** The operator's user name in the operating system. */
  readonly operator: string;
  /** The user who became that user with sudo, if there is one. */
  readonly sudoUser?: string | null;
  readonly action: string;
}

export interface OperatorAction {
  /** The target: an email address, the name of a file or job, or the reference of a case. */
  readonly subject: string;
  /** Reference of the case, if there is one. */
  readonly reference?: string;
  /** Other facts worth recording. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Inserts an entry into the audit log. `db` is the transaction of the action if there is one, so that actions
 * and entries are committed together.
 */
export async function recordAction(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { operator, sudoUser = null, action }: Actor,
  { subject, reference, details = {} }: OperatorAction,
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
      reference: reference ?? null,
      details: JSON.stringify(details),
    })
    .execute();
}
