import type { Database } from './database.ts';

/** The connections of one process. */
export interface ConnectionCounts {
  /** Connections that a call uses. */
  readonly used: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
}

const counts = new WeakMap<Database, () => ConnectionCounts>();

/** An engine with connections calls this once for each database that it opens. */
export const noteConnections = (db: Database, read: () => ConnectionCounts): void => void counts.set(db, read);

/** Returns null if the engine has no connections, like SQLite. */
export const readConnections = (db: Database): ConnectionCounts | null => counts.get(db)?.() ?? null;
