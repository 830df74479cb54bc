import type { Database, Transaction } from './database.ts';

/** All reads see one state. SQLite runs them on its reading thread. */
export const readSnapshot = <T>(db: Database, read: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
