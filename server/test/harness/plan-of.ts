import { CompiledQuery, type RootOperationNode } from 'kysely';
import type { Database, Transaction } from '../../src/engines/database/database.ts';

export const onPostgres = process.env['TEST_DATABASE'] === 'postgres';

interface Plan {
  readonly 'QUERY PLAN'?: string;
  readonly detail?: string;
}

/** Returns the engine's own query plan of the last statement that `ask` runs. */
export async function planOf(db: Database, ask: (tx: Transaction) => Promise<unknown>): Promise<string> {
  let asked: RootOperationNode | null = null;
  const watched = db.withPlugin({
    // Parts of a query pass through here as well; the whole query comes last.
    transformQuery: ({ node }) => (asked = node),
    transformResult: async ({ result }) => result,
  });
  await watched.transaction().execute(ask);
  if (!asked) throw new Error('nothing was asked');
  const { sql, parameters } = db.getExecutor().compileQuery(asked, { queryId: 'plan' });
  const explain = onPostgres ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
  const { rows } = await db.executeQuery<Plan>(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
  return rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
}
