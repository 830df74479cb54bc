import { sql } from 'kysely';
import type { Transaction } from './database.ts';
import { searchTextOf } from '../../lib/search-text.ts';

const rowsPerStatement = 500;

export async function fillSearchText(tx: Transaction): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await tx
      .selectFrom('files')
      .select(['id', 'name', 'original_name'])
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(rowsPerStatement)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    const values = sql.join(rows.map((row) => sql`(${row.id}, ${searchTextOf(row.name, row.original_name)})`));
    await sql`
      UPDATE files SET search_text = filled.column2
      FROM (VALUES ${values}) AS filled
      WHERE files.id = filled.column1`.execute(tx);
    after = last.id;
  }
}
