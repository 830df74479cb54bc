import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/context.ts';
import type { Database } from '../../src/storage/db/database.ts';
import { createTestDatabase } from './test-database.ts';

export interface OpenDatabase extends AsyncDisposable {
  readonly db: Database;
}

/** A new database on the engine of this run, without a server. */
export async function openNew(): Promise<OpenDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  if (database.url === null) return openSqliteFile();
  const db = await openDatabase({ engine: 'postgres', url: database.url }, pino({ enabled: false }), 'migrate');
  return { db, [Symbol.asyncDispose]: () => db.destroy() };
}

/** A new database of SQLite, whatever the engine of this run. */
export async function openSqliteFile(): Promise<OpenDatabase> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-moves-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const db = await openDatabase({ engine: 'sqlite', path: join(folder, 'a.db') }, pino({ enabled: false }), 'migrate');
  return { db, [Symbol.asyncDispose]: () => db.destroy() };
}
