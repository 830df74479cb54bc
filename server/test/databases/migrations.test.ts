/** Database migrations: beside another process that migrates, and when they fail. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { pino } from 'pino';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openContext } from '../../src/context.ts';
import { OtherSchema } from '../../src/storage/db/database.ts';
import { createTestDatabase } from '../harness/test-database.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

async function createEmpty() {
  const opened = new AsyncDisposableStack();
  const { url } = opened.use(await createTestDatabase());
  const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-migrations-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const config = (parameters = '') =>
    readConfig({ DATA_DIR: dataDir, ...(url !== null && { DATABASE_URL: url + parameters }) });
  const log: string[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) });
  return {
    url,
    dataDir,
    log,
    config,
    open: (parameters = '') => openContext(config(parameters), logger),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const shortTimeoutMs = 400;

test.runIf(postgres)('a start waits for a migrating process, longer than the statement timeout', async () => {
  await using database = await createEmpty();
  await using other = await connect(database.url ?? '');
  await other.client.query('SELECT pg_advisory_lock(4829310, hashtext(current_schema()))');
  const opening = database.open(`&statement_timeout=${shortTimeoutMs}&application_name=waiting%20start`);
  const ended = opening.then(
    () => 'open',
    (error: unknown) => String(error),
  );
  // Only the sessions of this test.
  const waiting = async () => {
    const { rows } = await other.client.query<{ ms: string }>(
      `SELECT extract(epoch FROM clock_timestamp() - query_start) * 1000 AS ms FROM pg_stat_activity
        WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)) AND application_name = 'waiting start'`,
    );
    return Math.max(0, ...rows.map(({ ms }) => Number(ms)));
  };
  const stillWaits = async () => {
    await expect.poll(waiting).toBeGreaterThan(3 * shortTimeoutMs);
    return 'still waits';
  };
  expect(await Promise.race([stillWaits(), ended])).toBe('still waits');
  expect(database.log).toEqual([expect.stringContaining('another process is migrating the database')]);
  await other.client.query('SELECT pg_advisory_unlock(4829310, hashtext(current_schema()))');
  await using context = await opening;
  expect(await context.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
});

test('a migration that fails in its middle is named with its reason, and leaves nothing behind', async () => {
  await using database = await createEmpty();
  // Its last table.
  await execute(database, 'CREATE TABLE files (id text)');
  const failed = database.open().catch((error: unknown) => error);
  expect(await failed).toBeInstanceOf(OtherSchema);
  expect(String(await failed)).toMatch(
    /^OtherSchema: The database could not be brought up to date by 0001-accounts-and-files\.sql: .*files.* already exists\.$/,
  );
  await execute(database, 'DROP TABLE files');
  await using context = await database.open();
  expect(await context.db.selectFrom('files').selectAll().execute()).toEqual([]);
});

async function execute({ url, dataDir }: { url: string | null; dataDir: string }, statement: string): Promise<void> {
  if (url === null) {
    using file = new DatabaseSync(join(dataDir, 'holdfast.db'));
    file.exec(statement);
  } else {
    await using connected = await connect(url);
    await connected.client.query(statement);
  }
}

async function connect(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
