import type { Schema } from '../../engines/database/schema.ts';

export interface TableToMove {
  readonly table: keyof Schema;
  /** The columns of its primary key. They are text, and are compared by their bytes. */
  readonly key: readonly string[];
}

/**
 * The tables that a move copies, ordered so that each row finds the rows it refers to. Nothing in them changes while they
 * are copied.
 */
export const movedTables = [
  { table: 'invitations', key: ['id'] },
  { table: 'accounts', key: ['id'] },
  { table: 'sessions', key: ['token_hash'] },
  { table: 'reset_keys', key: ['address_hash'] },
  { table: 'email_codes', key: ['account_id'] },
  { table: 'outgoing_emails', key: ['id'] },
  { table: 'spent_challenges', key: ['id'] },
  { table: 'blobs', key: ['id'] },
  { table: 'blocked_digests', key: ['sha256'] },
  { table: 'files', key: ['id'] },
  { table: 'activity', key: ['id'] },
  { table: 'jobs', key: ['name'] },
  { table: 'subscriptions', key: ['account_id'] },
  { table: 'payment_events', key: ['id'] },
  { table: 'operator_actions', key: ['id'] },
  { table: 'takedown_cases', key: ['reference', 'sha256'] },
  { table: 'takedowns', key: ['reference', 'sha256', 'account_id'] },
  { table: 'rescan_finds', key: ['sha256'] },
] as const satisfies readonly TableToMove[];

/**
 * Notes of running processes on themselves and on the time they run, which go on during a move. They are few, and are
 * copied last.
 */
export const runningNotes = ['service_facts', 'processes'] as const satisfies readonly (keyof Schema)[];

/**
 * Tables that stay: the notes on the move itself, the migrations of each database, the token buckets of the limits, which
 * are full again in the new place.
 */
export const notMoved = ['moves', 'migrations', 'counters'] as const satisfies readonly (keyof Schema)[];

/** The tables that nobody may change during the last step. A newer version must not migrate the database either. */
export const stillTables: readonly (keyof Schema)[] = [...movedTables.map(({ table }) => table), 'migrations'];
