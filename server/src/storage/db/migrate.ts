import { messageOf } from '../../lib/message-of.ts';
import { readdir, readFile } from 'node:fs/promises';
import {
  type Database,
  DatabaseUnavailable,
  EmptyDatabase,
  OlderSchema,
  OtherSchema,
  type Transaction,
} from './database.ts';
import { fillSearchText } from './fill-search-text.ts';
import { nameAccountsById } from './name-accounts-by-id.ts';
import { refuseChangesToActions } from './refuse-changes-to-actions.ts';

const folder = new URL('./migrations/', import.meta.url);

/** Their SQL differs between the engines. */
const fills: Readonly<Record<string, (tx: Transaction) => Promise<void>>> = {
  '0005-search-text.sql': fillSearchText,
  '0011-operators.sql': refuseChangesToActions,
  '0057-no-addresses-in-the-audit-log.sql': nameAccountsById,
};

export interface Migrating {
  readonly runScript: (tx: Transaction, script: string) => Promise<void>;
  /** Waits, in the transaction, until no other process changes the schema. */
  readonly takeTurn?: (tx: Transaction) => Promise<void>;
  readonly prepare?: (tx: Transaction) => Promise<void>;
}

export async function migrate(db: Database, { runScript, takeTurn, prepare }: Migrating): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await takeTurn?.(tx);
    await prepare?.(tx);
    await tx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute();
  });
  for (const name of await missingMigrations(db)) {
    const script = await readFile(new URL(name, folder), 'utf8');
    const applyOnce = async (tx: Transaction) => {
      await takeTurn?.(tx);
      const seen = await tx.selectFrom('migrations').select('name').where('name', '=', name).executeTakeFirst();
      if (seen) return;
      await runScript(tx, script);
      await fills[name]?.(tx);
      await tx.insertInto('migrations').values({ name, applied_at: Date.now() }).execute();
    };
    try {
      await db.transaction().execute(applyOnce);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      throw new OtherSchema(`The database could not be brought up to date by ${name}: ${messageOf(error)}.`, {
        cause: error,
      });
    }
  }
}

export async function requireMigrated(db: Database): Promise<void> {
  const missing = await missingMigrations(db).catch((error: unknown) => {
    const empty = error instanceof Error && /no such table|relation .* does not exist/.test(error.message);
    throw empty ? new EmptyDatabase("The database is empty. Run 'holdfast migrate', or start the server once.") : error;
  });
  if (missing.length > 0)
    throw new OlderSchema(
      `The database is older than this program (it has no ${missing.join(', ')}). Run 'holdfast migrate'.`,
    );
}

async function missingMigrations(db: Database): Promise<readonly string[]> {
  const { missing, unknown } = await compareMigrations(db);
  if (unknown.length > 0)
    throw new OtherSchema(
      `The database is newer than this program (it has ${unknown.join(', ')}). Install the newer version again.`,
    );
  return missing;
}

async function compareMigrations(db: Database) {
  // Read once: an upgrade may replace the folder of a running program.
  const own = await (ownMigrations ??= readMigrations());
  const applied = (await db.selectFrom('migrations').select('name').orderBy('name').execute()).map(({ name }) => name);
  const missing = own.filter((name) => !applied.includes(name));
  return { missing, unknown: applied.filter((name) => !own.includes(name)), latest: Math.max(...own.map(numberOf)) };
}

let ownMigrations: Promise<readonly string[]> | undefined;

const readMigrations = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();

export interface SchemaChange {
  /** A backup has been restored. */
  readonly missing: readonly string[];
  /** This program may serve beside them. */
  readonly newer: readonly string[];
  /** They have removed something which this program uses. */
  readonly removing: readonly string[];
}

export async function readSchemaChange(db: Database): Promise<SchemaChange> {
  const { missing, unknown, latest } = await compareMigrations(db);
  return {
    missing,
    newer: unknown.filter((name) => neededBy(name) <= latest),
    removing: unknown.filter((name) => neededBy(name) > latest),
  };
}

const numberOf = (name: string): number => Number.parseInt(name, 10);

/** One that removes what earlier programs use names the migration that a program must have to go on. */
const neededBy = (name: string): number => Number(/\.needs-(\d{4})\.sql$/.exec(name)?.[1] ?? 0);
