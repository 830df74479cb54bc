/** A database commits some tens of files in the time of one. */
import { type Database, DatabaseUnavailable, type Transaction } from '../storage/db/database.ts';

type Insert<Result> = (tx: Transaction) => Promise<Result>;

interface Waiting {
  /** Locks of all transactions are taken in its order. */
  readonly sha256: string;
  readonly insert: Insert<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Others wait for the transaction. */
const mostTogether = 32;

/** Of accounts with a transaction under way. */
const queuesOf = new WeakMap<Database, Map<string, Waiting[]>>();

/**
 * Runs inserts of an account that arrive during a transaction of it in the next one. If one of them fails, each runs
 * again in a transaction of its own, so none is lost to another.
 */
export function insertTogether<Result>(
  db: Database,
  accountId: string,
  sha256: string,
  insert: Insert<Result>,
): Promise<Result> {
  const queues = queuesOf.get(db) ?? new Map<string, Waiting[]>();
  queuesOf.set(db, queues);
  return new Promise((resolve, reject) => {
    const waiting = { sha256, insert, resolve: resolve as Waiting['resolve'], reject };
    const underWay = queues.get(accountId);
    if (underWay) return void underWay.push(waiting);
    const queue = [waiting];
    queues.set(accountId, queue);
    void insertAll(db, queue, () => queues.delete(accountId));
  });
}

async function insertAll(db: Database, queue: Waiting[], onEnd: () => void): Promise<void> {
  while (queue.length > 0) {
    const group = queue.splice(0, mostTogether).toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
    try {
      const results = await db.transaction().execute(async (tx) => {
        const done: unknown[] = [];
        for (const { insert } of group) done.push(await insert(tx));
        return done;
      });
      for (const [at, { resolve }] of group.entries()) resolve(results[at]);
    } catch (error) {
      if (group.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of group) reject(error);
      else
        await Promise.all(
          group.map(({ insert, resolve, reject }) => db.transaction().execute(insert).then(resolve, reject)),
        );
      // Nobody waits for a database twice.
      if (error instanceof DatabaseUnavailable)
        for (const { reject } of queue.splice(0)) reject(new DatabaseUnavailable(error));
    }
  }
  onEnd();
}
