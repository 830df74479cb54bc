import { CompiledQuery, type QueryId, type RootOperationNode } from 'kysely';
import type { Database, Transaction } from '../../src/storage/db/database.ts';

export const onPostgres = process.env['TEST_DATABASE'] === 'postgres';

interface Plan {
  readonly 'QUERY PLAN'?: string;
  readonly detail?: string;
}

/** Returns the engine's own query plan of the last statement that `ask` runs. */
export async function planOf(db: Database, ask: (tx: Transaction) => Promise<unknown>): Promise<string> {
  const plan = (await plansOf(db, (watched) => watched.transaction().execute(ask))).at(-1);
  if (plan === undefined) throw new Error('nothing was asked');
  return plan;
}

/** Returns the plans of all statements that `ask` runs. */
export async function plansOf(db: Database, ask: (watched: Database) => Promise<unknown>): Promise<string[]> {
  const asked = new Map<QueryId, RootOperationNode>();
  const watched = db.withPlugin({
    transformQuery({ node, queryId }) {
      // Parts of a query pass through here as well; the whole query comes last.
      asked.set(queryId, node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await ask(watched);
  const plans = [];
  for (const node of asked.values()) plans.push(await explain(db, node));
  return plans;
}

async function explain(db: Database, node: RootOperationNode): Promise<string> {
  const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' });
  const explanation = onPostgres ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
  const { rows } = await db.executeQuery<Plan>(CompiledQuery.raw(`${explanation} ${sql}`, [...parameters]));
  return rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
}
