/** One PostgreSQL for the duration of a test run, with a database that each test copies. */
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/storage/db/postgres.ts';
import { startPgbouncer } from './start-pgbouncer.ts';
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
  project.provide('postgresUrl', project.config.env['TEST_POOLER'] ? undo.use(await startPooler(url)).url : url);
  const opened = undo.move();
  return () => opened.disposeAsync();
}

/** Tests use many databases, and each server as many connections as in production. */
const startPooler = (url: string) =>
  startPgbouncer(url, 'session', ['max_client_conn = 2000', 'default_pool_size = 200', 'server_lifetime = 0']);
