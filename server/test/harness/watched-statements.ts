import type { CompiledQuery, DatabaseConnection, QueryExecutor, RootOperationNode } from 'kysely';
import type { Database } from '../../src/storage/db/database.ts';

export interface Watch {
  /** Runs before a statement, with the number of earlier ones. An error it throws counts as the database's own. */
  readonly before?: (statement: string, at: number) => void;
  readonly change?: (statement: string, query: CompiledQuery) => CompiledQuery;
  /** Runs after a statement, while its transaction is still open. */
  readonly after?: (statement: string) => Promise<void> | void;
}

/** A database whose statements are observed, such as `InsertQueryNode files`, and may fail. */
export function watchStatements(db: Database, { before, change, after }: Watch): Database {
  let count = 0;
  const execute = async (connection: DatabaseConnection, query: CompiledQuery) => {
    if (endsOfTransactions.has(query.sql)) return connection.executeQuery(query);
    const statement = nameOf(query.query);
    const at = count;
    count += 1;
    before?.(statement, at);
    const result = await connection.executeQuery(change?.(statement, query) ?? query);
    await after?.(statement);
    return result;
  };
  const watchConnection = (connection: DatabaseConnection) =>
    new Proxy(connection, {
      get(target, name) {
        if (name === 'executeQuery') return (query: CompiledQuery) => execute(target, query);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  // Its plugins are those of `db`, but its executor is another object.
  const watched = db.withPlugin({ transformQuery: ({ node }) => node, transformResult: async ({ result }) => result });
  const executor = watched.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const provideConnection: QueryExecutor['provideConnection'] = (consumer, options) =>
    provide((connection) => consumer(watchConnection(connection)), options);
  Object.assign(executor, { provideConnection });
  return watched;
}

const endsOfTransactions: ReadonlySet<string> = new Set(['begin', 'commit', 'rollback']);

function nameOf(node: RootOperationNode): string {
  const table = /"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? '';
  return `${node.kind} ${table}`;
}
