/** One PostgreSQL for the duration of a test run, with a database that each test copies. */
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/storage/db/postgres.ts';
import { startPostgres } from '@holdfast/test-support/start-postgres.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using undo = new AsyncDisposableStack();
  const { url } = undo.use(await startPostgres());
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  await client.query('CREATE DATABASE migrated');
  await client.end();
  const db = await openPostgres(`${url}/migrated`, pino({ enabled: false }));
  await db.destroy();
  project.provide('postgresUrl', url);
  const opened = undo.move();
  return () => opened.disposeAsync();
}
