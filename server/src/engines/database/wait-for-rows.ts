import { CompiledQuery, PostgresAdapter } from 'kysely';
import { seconds } from '../../lib/clock.ts';
import type { Transaction } from './database.ts';
import { type Bound, runTogether } from './statement.ts';

const longestMs = seconds(10);

/**
 * Lets a transaction wait ten seconds for rows that another one holds; call it first. Meanwhile it keeps a connection
 * from other accounts, so it is only for uploads, whose bytes would have to be sent again. It first locks the tables
 * that such transactions share, within the limit of the session, in the mode that every change takes anyway. So a
 * transaction that meets a table locked by `VACUUM FULL` or `ALTER TABLE` is refused soon, and holds no row that others
 * wait for. SQLite has one writer at a time.
 */
export async function waitForRows(tx: Transaction): Promise<void> {
  await runTogether(tx, [waitingForRows(tx)]);
}

/** The statement of `waitForRows`; null if the engine needs none. */
export function waitingForRows(tx: Transaction): Bound<unknown> | null {
  return tx.getExecutor().adapter instanceof PostgresAdapter ? waiting : null;
}

// One simple query, so that it costs one round trip.
const waiting = CompiledQuery.raw(`
  LOCK TABLE accounts, blobs, files IN ROW EXCLUSIVE MODE;
  SELECT set_config('lock_timeout', '${longestMs}', true)`);
