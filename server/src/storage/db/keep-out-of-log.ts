import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Makes tables of PostgreSQL unlogged: their rows are written often, and none is worth waiting for the disk. A crash
 * empties them.
 */
export async function keepOutOfLog(db: Database, tables: readonly (keyof Schema)[]): Promise<void> {
  for (const table of tables) {
    const logged = await sql`
      SELECT 1 FROM pg_class WHERE oid = ${table}::regclass AND relpersistence <> 'u'`.execute(db);
    if (logged.rows.length > 0) await sql`ALTER TABLE ${sql.table(table)} SET UNLOGGED`.execute(db);
  }
}
