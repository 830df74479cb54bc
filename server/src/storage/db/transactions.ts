import { setTimeout as wait } from 'node:timers/promises';
import type { TransactionBuilder } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Transaction } from './database.ts';
import { needsNewPlan } from './postgres-connections.ts';
import type { Schema } from './schema.ts';

const mostTries = 5;
const firstWaitMs = 20;

const registered = new WeakMap<Database, (() => void)[]>();

/** Runs `work` once the transaction is durable, before its caller continues. What it throws is logged. */
export function afterCommit(tx: Transaction, work: () => void): void {
  const works = registered.get(tx);
  if (!works) throw new Error('Only a transaction that writes has an afterCommit');
  works.push(work);
}

/**
 * Adds `afterCommit` to the transactions of a database, and runs one again that PostgreSQL aborted because of a conflict
 * (PostgreSQL, 13.2 and 13.3.4) or of a table that was migrated meanwhile. One with its own settings only reads here.
 */
export function withTransactions(db: Database, log: Pick<Logger, 'warn'> | undefined): Database {
  const begin = db.transaction.bind(db);
  return Object.assign(db, { transaction: () => retrying(begin(), log) });
}

function retrying(
  builder: TransactionBuilder<Schema>,
  log: Pick<Logger, 'warn'> | undefined,
): TransactionBuilder<Schema> {
  const once = builder.execute.bind(builder);
  return Object.assign(builder, {
    async execute<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries += 1) {
        try {
          return await runOnce(once, work, log);
        } catch (error) {
          if (tries === mostTries || !mayRunAgain(error)) throw error;
          log?.warn({ err: error, tries }, 'a transaction failed because of another one and is retried');
        }
        // Random and growing waits, so that the two do not collide again.
        await wait(Math.random() * firstWaitMs * 2 ** tries);
      }
    },
  });
}

async function runOnce<T>(
  once: TransactionBuilder<Schema>['execute'],
  work: (tx: Transaction) => Promise<T>,
  log: Pick<Logger, 'warn'> | undefined,
): Promise<T> {
  const works: (() => void)[] = [];
  const result = await once((tx) => {
    registered.set(tx, works);
    return work(tx);
  });
  for (const each of works)
    try {
      each();
    } catch (error) {
      log?.warn({ err: error }, 'what follows a transaction has failed');
    }
  return result;
}

/** serialization_failure and deadlock_detected. */
const codes: ReadonlySet<unknown> = new Set(['40001', '40P01']);

const mayRunAgain = (error: unknown): boolean =>
  needsNewPlan(error) || (error instanceof Error && 'code' in error && codes.has(error.code));
