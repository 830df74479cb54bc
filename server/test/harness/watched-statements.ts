import type { KyselyPlugin, RootOperationNode } from 'kysely';
import type { Database } from '../../src/engines/database/database.ts';

export interface Watch {
  /** Runs before a statement, with the number of earlier ones. An error it throws counts as the database's own. */
  readonly before?: (statement: string, at: number) => void;
  /** Runs after a statement, while its transaction is still open. */
  readonly after?: (statement: string) => Promise<void> | void;
}

/** A database whose statements are observed, such as `InsertQueryNode files`, and may fail. */
export function watchStatements(db: Database, { before, after }: Watch): Database {
  const statements = new WeakMap<object, string>();
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const statement = nameOf(node);
      before?.(statement, count);
      count += 1;
      statements.set(queryId, statement);
      return node;
    },
    async transformResult({ result, queryId }) {
      await after?.(statements.get(queryId) ?? '');
      return result;
    },
  };
  return db.withPlugin(plugin);
}

function nameOf(node: RootOperationNode): string {
  const table = /"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? '';
  return `${node.kind} ${table}`;
}
