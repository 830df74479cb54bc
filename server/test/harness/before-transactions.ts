import type { Database } from '../../src/storage/db/database.ts';

type Execute = ReturnType<Database['transaction']>['execute'];

/** A database that runs `first` whenever a transaction is about to begin. */
export function beforeTransactions(db: Database, first: () => Promise<unknown>): Database {
  return withTransactions(db, async (work) => {
    await first();
    return db.transaction().execute(work);
  });
}

/** A database that runs `last` when the work of a transaction is done, just before its commit. */
export function beforeCommits(db: Database, last: () => Promise<unknown>): Database {
  return withTransactions(db, (work) =>
    db.transaction().execute(async (tx) => {
      const result = await work(tx);
      await last();
      return result;
    }),
  );
}

/**
 * A database that rolls each transaction back when its work is done, runs `between`, and runs the work again: as the
 * PostgreSQL engine does with a transaction that conflicts with another.
 */
export function runTwice(db: Database, between: () => Promise<unknown>): Database {
  const met = new Error('it met another one');
  return withTransactions(db, async (work) => {
    const first = db.transaction().execute(async (tx) => {
      await work(tx);
      throw met;
    });
    await first.catch((error: unknown) => {
      if (error !== met) throw error;
    });
    await between();
    return db.transaction().execute(work);
  });
}

type Builder = ReturnType<Database['transaction']>;

function withTransactions(db: Database, execute: Execute): Database {
  return new Proxy(db, {
    get(target, key) {
      // A transaction with settings only reads: it is not run again.
      const withSettings: Builder['setIsolationLevel'] = (level) => db.transaction().setIsolationLevel(level);
      if (key === 'transaction') return () => ({ execute, setIsolationLevel: withSettings });
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
