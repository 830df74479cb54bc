import type { Context } from '../context.ts';
import { newRowId } from '../lib/row-id.ts';

/** Who does something, and by which command, such as 'file take-down'. */
export interface Actor {
  /** As the operating system calls them. */
  readonly operator: string;
  readonly action: string;
}

export interface OperatorAction {
  /** What it was done to: an address, the name of a file or job, the reference of a case. */
  readonly subject: string;
  /** Of the case, where there is one. */
  readonly reference?: string;
  /** What else has to be known later. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Adds a line to the audit log, which nobody can change. `db` is the transaction of the action where there is one, so
 * that nothing is done without its line, and no line tells of what was not done.
 */
export async function recordAction(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { operator, action }: Actor,
  { subject, reference, details = {} }: OperatorAction,
): Promise<void> {
  const at = clock.now();
  await db
    .insertInto('operator_actions')
    .values({
      id: newRowId(at),
      at,
      operator,
      action,
      subject,
      reference: reference ?? null,
      details: JSON.stringify(details),
    })
    .execute();
}
