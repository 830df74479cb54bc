import type { Schema } from '../../engines/database/schema.ts';

/**
 * The tables of a backup, ordered so that each row finds the rows it refers to, and the key by which each is read. Left
 * out are rows that must not come back (sessions, codes, reset keys, spent challenges), rows that have already been
 * sent (outgoing emails), and rows that belong to processes (jobs, counters, holds of backups, writes of blobs,
 * processes, journals of hits) or to this installation (service facts, outages, finds of the rescan, the link of the
 * first owner).
 */
export const backedUp = [
  // The link of the first owner follows from the secret key, and works only while there is no account.
  { table: 'invitations', key: ['id'], since: '0023-invitations.sql', leftOut: 'for_owner', mayLack: true },
  { table: 'accounts', key: ['id'] },
  { table: 'blobs', key: ['id'] },
  { table: 'files', key: ['id'] },
  { table: 'upload_keys', key: ['key'], since: '0015-upload-keys.sql' },
  { table: 'blocked_digests', key: ['sha256'] },
  { table: 'activity', key: ['id'] },
  { table: 'subscriptions', key: ['account_id'] },
  { table: 'payment_events', key: ['id'] },
  { table: 'operator_actions', key: ['id'] },
  { table: 'takedown_cases', key: ['reference', 'sha256'] },
  { table: 'takedowns', key: ['reference', 'sha256', 'account_id'] },
  { table: 'discarded_digests', key: ['sha256'], since: '0014-running-time-and-restores.sql' },
] as const satisfies readonly TableToBackUp[];

interface TableToBackUp {
  readonly table: keyof Schema;
  readonly key: readonly string[];
  /** The migration that created it, if that is newer than the oldest backup that can be restored. */
  readonly since?: string;
  /** A flag: rows in which it is 1 are not backed up. */
  readonly leftOut?: string;
  /** True if earlier versions that had the table did not back it up. */
  readonly mayLack?: boolean;
}

/** Returns the tables in a backup that was taken at `migration` and whose manifest lists `listed`. */
export const tablesIn = (migration: string, listed: object): readonly BackedUp[] =>
  backedUp.filter(
    ({ table, since = '', mayLack = false }: TableToBackUp & BackedUp) =>
      since <= migration && (!mayLack || table in listed),
  );

/** Columns that backups taken before migration 0016 have under another name. */
const renamedColumns: Readonly<Record<string, string>> = {
  readings_begun: 'snapshots_begun',
  reading_applied: 'snapshot_applied',
};

/** Returns the present name of a column in a backup. */
export const currentColumn = (column: string): string => renamedColumns[column] ?? column;

export type BackedUp = (typeof backedUp)[number];
export type BackedUpTable = BackedUp['table'];
export type Row = Readonly<Record<string, string | number | null>>;
