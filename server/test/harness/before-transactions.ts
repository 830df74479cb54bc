import type { Database } from '../../src/engines/database/database.ts';

/** A database that does something else first whenever a transaction is about to begin. */
export function beforeTransactions(db: Database, first: () => Promise<unknown>): Database {
  return new Proxy(db, {
    get(target, key) {
      if (key === 'transaction')
        return () => ({
          async execute(work: Parameters<ReturnType<Database['transaction']>['execute']>[0]) {
            await first();
            return target.transaction().execute(work);
          },
        });
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
