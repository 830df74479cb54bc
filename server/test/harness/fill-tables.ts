import { sql } from 'kysely';
import type { Database } from '../../src/storage/db/database.ts';
import { movedTables } from '../../src/operator/backup/copy-rows.ts';
import { ownColumns } from './own-columns.ts';

/** Text as people and attackers give it, without what PostgreSQL cannot store. */
const odd = [
  'kelp 😀 héllo',
  'a\u2028b\u202E\u0085',
  `'"\\%_$1?`,
  'ÆØÅ',
  ' ',
  'z'.repeat(3_000),
  '日本語.txt',
  '\uFFFF',
];

/** Larger than 32 bits, and the largest that JavaScript holds exactly. */
const numbers = [0, 1, 2 ** 31, 2 ** 53 - 1];

/** Columns whose rows must exist; they name the row with the same number. */
const references: Readonly<Record<string, string>> = { account_id: 'accounts', file_id: 'files', blob_id: 'blobs' };

/**
 * Fills every column of every table that a move copies with values of all kinds, null included. The rows make no sense:
 * they are for tests that compare rows. `rows` of each table, and `more` of some.
 */
export async function fillTables(db: Database, rows = 9, more: Readonly<Record<string, number>> = {}): Promise<void> {
  const known = Map.groupBy(await ownColumns(db), ({ table }) => table);
  for (const [table, key] of Object.entries<readonly string[]>(movedTables)) {
    const columns = known.get(table) ?? [];
    const count = more[table] ?? rows;
    const all = Array.from({ length: count }, (_, n) =>
      columns.map(({ name, dataType, isNullable }, at) => {
        const isKey = key.includes(name);
        if (name in references && table !== 'reset_keys') return keyOf(references[name] ?? '', n);
        if (name === 'id' && isKey) return keyOf(table, n);
        if (isNullable && !isKey && (n + at) % 3 === 0) return null;
        if (!/text|char/i.test(dataType)) return numberFor(dataType, n + at);
        return `${odd[(n + at) % odd.length]} ${name} ${n}`;
      }),
    );
    for (let from = 0; from < all.length; from += 100)
      await sql`
        INSERT INTO ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
        VALUES ${sql.join(all.slice(from, from + 100).map((row) => sql`(${sql.join(row)})`))}`.execute(db);
  }
}

const keyOf = (table: string, n: number) => `${table} ${odd[n % 5]} ${n}`;

const numberFor = (dataType: string, n: number) =>
  /smallint|int2|^integer|int4/i.test(dataType) ? n % 2 : numbers[n % numbers.length];
