import { CompiledQuery, type TransactionBuilder } from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Lets each transaction wait `longest` milliseconds for rows that another one holds: uploads and deletions of one
 * account commit one after the other. It first locks the tables that such transactions share, within the limit of the
 * session, in the mode that every change takes anyway. So a transaction that meets a table locked by `VACUUM FULL` or
 * `ALTER TABLE` is refused soon, and holds no row that others wait for. A transaction with its own settings only reads
 * here, so it keeps the limit of the session, as single statements do.
 */
export function waitForRows(db: Database, longest: number): Database {
  const begin = db.transaction.bind(db);
  const script = `
    LOCK TABLE accounts, blobs, files IN ROW EXCLUSIVE MODE;
    SELECT set_config('lock_timeout', '${longest}', true)`;
  return Object.assign(db, { transaction: () => waiting(begin(), script) });
}

function waiting(builder: TransactionBuilder<Schema>, script: string): TransactionBuilder<Schema> {
  const execute = builder.execute.bind(builder);
  return Object.assign(builder, {
    execute: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      execute(async (tx) => {
        // One simple query, so that it costs one round trip.
        await tx.executeQuery(CompiledQuery.raw(script));
        return work(tx);
      }),
  });
}
