import type { Database } from './database.ts';
import { ownMigrations } from './migrate.ts';

/** How the schema differs from that of this program, which has brought it to its own version at its start. */
export interface SchemaChange {
  /** Migrations of this program that are gone: a backup has been restored. */
  readonly missing: readonly string[];
  /** Migrations of a newer version that this program may serve beside. */
  readonly newer: readonly string[];
  /** Migrations of a newer version that have removed something which this program uses. */
  readonly removing: readonly string[];
}

export async function readSchemaChange(db: Database): Promise<SchemaChange> {
  const own = await ownMigrations();
  const applied = (await db.selectFrom('migrations').select('name').execute()).map((row) => row.name);
  const unknown = applied.filter((name) => !own.includes(name)).toSorted();
  const latest = Math.max(...own.map(numberOf));
  return {
    missing: own.filter((name) => !applied.includes(name)),
    newer: unknown.filter((name) => neededBy(name) <= latest),
    removing: unknown.filter((name) => neededBy(name) > latest),
  };
}

const numberOf = (name: string): number => Number.parseInt(name, 10);

/**
 * A migration only adds, so that programs without it go on. One that removes what earlier programs use says in its name
 * which migration a program must have to go on: `0031-drop-letters.needs-0029.sql`.
 */
const neededBy = (name: string): number => Number(/\.needs-(\d{4})\.sql$/.exec(name)?.[1] ?? 0);
