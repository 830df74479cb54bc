import { sql } from 'kysely';
import { type Database, isPostgres } from '../../src/storage/db/database.ts';

export interface OwnColumn {
  readonly table: string;
  readonly name: string;
  readonly dataType: string;
  readonly isNullable: boolean;
  readonly isAutoIncrementing: boolean;
}

/** Kysely would read those of all schemas, and fail when another test drops a column. */
export async function ownColumns(db: Database): Promise<readonly OwnColumn[]> {
  if (!isPostgres(db))
    return (await db.introspection.getTables()).flatMap(({ name: table, columns }) =>
      columns.map((column) => ({ table, ...column })),
    );
  const { rows } = await sql<OwnColumn>`
    SELECT table_name AS table, column_name AS name, data_type AS "dataType", is_nullable = 'YES' AS "isNullable",
      is_identity = 'YES' OR coalesce(column_default LIKE 'nextval%', false) AS "isAutoIncrementing"
    FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`.execute(
    db,
  );
  return rows;
}
