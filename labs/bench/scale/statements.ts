import pg from 'pg';

export interface LongestStatement {
  readonly ms: number;
  readonly calls: number;
  readonly text: string;
}

/** The statements of one PostgreSQL role, as the database itself measures them. */
export interface Statements extends AsyncDisposable {
  readonly forget: () => Promise<void>;
  readonly longest: () => Promise<LongestStatement | null>;
  /** Changes a setting of the running database. */
  readonly set: (name: string, value: string) => Promise<void>;
  /** Bytes that were written to the log of the database so far. */
  readonly logged: () => Promise<number>;
}

export const role = 'worker';
/** Enough to recognize a statement with many parameters. */
const textLength = 500;

/** Settings with which PostgreSQL measures statements. */
export const measuringSettings = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=top'];

/** Creates the role; its connections are those whose statements count. */
export async function openStatements(url: string): Promise<Statements> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE EXTENSION IF NOT EXISTS pg_stat_statements; CREATE ROLE ${role} SUPERUSER LOGIN`);
  return {
    async forget() {
      await client.query('SELECT pg_stat_statements_reset()');
    },
    async longest() {
      const { rows } = await client.query<{ ms: number; calls: string; text: string }>(
        `SELECT max_exec_time AS ms, calls, query AS text FROM pg_stat_statements
        WHERE userid = '${role}'::regrole ORDER BY max_exec_time DESC LIMIT 1`,
      );
      const [row] = rows;
      return row
        ? { ms: row.ms, calls: Number(row.calls), text: row.text.replaceAll(/\s+/g, ' ').trim().slice(0, textLength) }
        : null;
    },
    async set(name, value) {
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
      await client.query('SELECT pg_reload_conf()');
    },
    async logged() {
      const { rows } = await client.query<{ bytes: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`);
      return Number(rows[0]?.bytes ?? 0);
    },
    async [Symbol.asyncDispose]() {
      await client.end();
    },
  };
}
