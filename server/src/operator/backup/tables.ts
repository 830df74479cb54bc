import type { Schema } from '../../storage/db/schema.ts';

export interface CopiedTable {
  readonly table: keyof Schema;
  /** The columns by which its rows are read in order. */
  readonly key: readonly string[];
}

/**
 * The tables of which a restore takes the rows, ordered so that each row finds those that it refers to. A restore leaves
 * out what must not come back (sessions, codes, reset keys, emails) and what belongs to running processes.
 */
export const restoredTables = [
  { table: 'invitations', key: ['id'] },
  { table: 'accounts', key: ['id'] },
  { table: 'blobs', key: ['id'] },
  { table: 'files', key: ['id'] },
  { table: 'blocked_digests', key: ['sha256'] },
  { table: 'activity', key: ['id'] },
  { table: 'subscriptions', key: ['account_id'] },
  { table: 'payment_events', key: ['id'] },
  { table: 'operator_actions', key: ['id'] },
  { table: 'takedown_cases', key: ['reference', 'sha256'] },
  { table: 'takedowns', key: ['reference', 'sha256', 'account_id'] },
] as const satisfies readonly CopiedTable[];
