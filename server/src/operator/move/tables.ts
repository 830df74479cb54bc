import type { Schema } from '../../storage/db/schema.ts';
import { type CopiedTable, restoredTables } from '../backup/tables.ts';

/** Tables that nobody changes in the last step, in an order in which rows find those that they refer to. */
export const movedTables: readonly CopiedTable[] = [
  ...restoredTables,
  { table: 'sessions', key: ['token_hash'] },
  { table: 'reset_keys', key: ['address_hash'] },
  { table: 'email_codes', key: ['account_id'] },
  { table: 'outgoing_emails', key: ['id'] },
  { table: 'spent_challenges', key: ['id'] },
  { table: 'jobs', key: ['name'] },
  { table: 'rescan_finds', key: ['sha256'] },
];

/** Notes of running processes on themselves, which go on during a move. */
export const runningNotes: readonly CopiedTable[] = [
  { table: 'service_facts', key: ['name'] },
  { table: 'processes', key: ['id'] },
];

/** Tables that stay: notes on the move, the migrations, and token buckets, which are full again in the new place. */
export const notMoved = ['moves', 'migrations', 'counters'] as const satisfies readonly (keyof Schema)[];

/** The tables that nobody may change during the last step. A newer version must not migrate the database either. */
export const stillTables: readonly (keyof Schema)[] = [...movedTables.map(({ table }) => table), 'migrations'];
