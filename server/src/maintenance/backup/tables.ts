import type { Schema } from '../../engines/database/schema.ts';

/**
 * What a backup holds, in an order in which each row finds what it refers to, and by which columns it is read. Left out
 * is what must not come back (sessions, codes, reset keys, spent challenges), what has left already (letters), and what
 * belongs to running processes (jobs, counters) or to this place (service facts, outages, finds of the rescan).
 */
export const backedUp = [
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
  { table: 'discarded_digests', key: ['sha256'], since: '0014-running-time-and-restores.sql' },
] as const satisfies readonly { table: keyof Schema; key: readonly string[]; since?: string }[];

/** The tables that a backup taken at `migration` has. */
export const tablesAt = (migration: string): readonly BackedUp[] =>
  backedUp.filter((each: BackedUp & { readonly since?: string }) => (each.since ?? '') <= migration);

export type BackedUp = (typeof backedUp)[number];
export type BackedUpTable = BackedUp['table'];
export type Row = Readonly<Record<string, string | number | null>>;
