/** A database at migration 0015 is upgraded with every row, and its queued emails are sent. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { openEmailWorker } from '../../src/email/worker.ts';
import { sealEmail } from '../../src/email/sealed-email.ts';
import { createCapturedMail } from '../harness/captured-mail.ts';
import { createMigratedDatabase, createTestDatabase, placeMigrated } from '../harness/test-database.ts';

const folder = new URL('../../src/storage/db/migrations/', import.meta.url);
const secretKey = 'the secret key before and after the upgrade';

const email = {
  to: 'ada@example.com',
  subject: 'Your files will be deleted',
  text: 'Sign in to keep them.\n',
  html: '<p>Sign in to keep them.</p>',
  secret: null,
};

/** One row for each renamed table or column, and rows of other tables that refer to them. */
const rows: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>> = {
  accounts: [
    {
      id: 'ada',
      email: 'ada@example.com',
      email_key: 'ada@example.com',
      name: 'Ada',
      password_hash: 'hash',
      level: 'basic',
      key_hash: 'key',
      key_sealed: 'sealed',
      space_used: 9,
      slots_used: 1,
      created_at: 1,
      verified_at: 2,
      last_active_at: 3,
    },
  ],
  blobs: [{ id: 'blob', sha256: 'digest', size: 9, used_by: 1, unused_since: null, created_at: 1 }],
  files: [
    {
      id: 'file',
      account_id: 'ada',
      name: 'q7Rt2mXa',
      original_name: 'kelp.txt',
      extension: 'txt',
      size: 9,
      sha256: 'digest',
      blob_id: 'blob',
      uploaded_at: 4,
      search_text: 'Q7RT2MXA KELP.TXT',
    },
  ],
  letters: [
    {
      id: 'warning',
      recipient: email.to,
      sealed: sealEmail(Buffer.from(secretKey), 'warning', email),
      created_at: 5,
      expires_at: null,
      attempts: 2,
      due_at: 6,
      warns_account: 'ada',
      warning: 'first',
    },
    {
      id: 'news',
      recipient: email.to,
      sealed: sealEmail(Buffer.from(secretKey), 'news', email),
      created_at: 5,
      expires_at: null,
      attempts: 2,
      due_at: 6,
      warns_account: null,
      warning: null,
    },
  ],
  subscriptions: [
    {
      account_id: 'ada',
      customer_id: 'cus_1',
      subscription_id: 'sub_1',
      level: 'basic',
      period: 'monthly',
      status: 'active',
      readings_begun: 7,
      reading_applied: 6,
      read_at: 8,
    },
  ],
  jobs: [
    { name: 'dormancy', braked_at: 9, done: '{"firstLetters":3,"lastLetters":2,"files":1}' },
    { name: 'purge', braked_at: null, done: '{"blobs":4}' },
  ],
  operator_actions: ['a', 'b', 'c'].map((id, at) => ({
    id,
    at,
    operator: 'holdfast',
    action: 'file take-down',
    subject: `file ${id}`,
    reference: null,
    details: '{}',
  })),
};

const tableNow = (table: string) => (table === 'letters' ? 'outgoing_emails' : table);
const columnNow: Readonly<Record<string, string>> = {
  readings_begun: 'snapshots_begun',
  reading_applied: 'snapshot_applied',
  braked_at: 'deletion_limit_exceeded_at',
};

test('a database at migration 0015 is upgraded with every row', async () => {
  await using older = await createOlder();
  await using context = await older.open();
  for (const [table, before] of Object.entries(rows)) {
    const after = await readAll(context, tableNow(table));
    expect(after).toHaveLength(before.length);
    for (const row of before) {
      const expected = Object.fromEntries(Object.entries(row).map(([name, value]) => [columnNow[name] ?? name, value]));
      if (row['name'] === 'dormancy') expected['done'] = '{"firstWarnings":3,"lastWarnings":2,"files":1}';
      expect(after).toContainEqual(expect.objectContaining(expected));
    }
  }
});

test('an email that was queued before the upgrade is sent after it, unless it warns of a day that no longer counts', async () => {
  await using older = await createOlder();
  await using context = await older.open();
  const mail = createCapturedMail();
  await using worker = openEmailWorker({ ...context, mail });
  await worker.flush();
  expect(mail.sent).toEqual([email]);
  expect(await readAll(context, 'outgoing_emails')).toEqual([]);
  expect(await readAll(context, 'accounts')).toEqual([expect.objectContaining({ first_warned_at: 0 })]);
});

test('older entries of the audit log name accounts by their ids, and stay unchangeable', async () => {
  const entry = (id: string, action: string, subject: string, details = '{}') =>
    ({ id, at: 1, operator: 'root', action, subject, reference: null, details }) as const;
  const details = JSON.stringify({ files: 2, account: email.to });
  await using older = await createOlder('0015-upload-keys.sql', {
    ...rows,
    operator_actions: [
      entry('aaa', 'account create', email.to),
      entry('b', 'account verify', 'Ada@example.com'),
      entry('c', 'account delete', 'gone@example.com', '{"files":1}'),
      entry('d', 'file restore', 'q7Rt2mXa', details),
      entry('e', 'move', 'postgres://ada@example.com'),
    ],
  });
  await using context = await older.open();
  const { db } = context;
  const entries = await db.selectFrom('operator_actions').select(['subject', 'details']).orderBy('id').execute();
  expect(entries).toEqual([
    { subject: 'erased', details: '{}' },
    { subject: 'ada', details: '{}' },
    { subject: 'erased', details: '{"files":1}' },
    { subject: 'q7Rt2mXa', details: '{"files":2,"account":"ada"}' },
    { subject: 'postgres://ada@example.com', details: '{}' },
  ]);
  await expect(db.updateTable('operator_actions').set({ subject: '' }).execute()).rejects.toThrow('only added to');
});

test.each(['0001-accounts-and-files.sql', '0015-upload-keys.sql', '0022-times-of-counters.sql'])(
  'a fresh database and one upgraded from %s have the same tables, columns and indexes',
  async (newest) => {
    await using older = await createOlder(newest, {});
    await using upgraded = await older.open();
    await using migrated = await createFresh();
    await using fresh = await migrated.open();
    expect(await shapeOf(upgraded, older.isPostgres)).toEqual(await shapeOf(fresh, migrated.isPostgres));
  },
);

async function readAll({ db }: Context, table: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(db)).rows;
}

async function shapeOf({ db }: Context, isPostgres: boolean): Promise<readonly string[]> {
  const { rows: found } = isPostgres
    ? await sql<{ line: string }>`
        SELECT table_name || '.' || column_name || ' ' || data_type AS line FROM information_schema.columns
        WHERE table_schema = current_schema()
        UNION ALL
        SELECT replace(indexdef, current_schema() || '.', '') FROM pg_indexes
        WHERE schemaname = current_schema() AND indexname NOT LIKE '%_pkey'`.execute(db)
    : await sql<{ line: string }>`
        SELECT tables.name || '.' || columns.name || ' ' || columns.type AS line
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'
        UNION ALL
        SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`.execute(db);
  return found.map(({ line }) => line).toSorted();
}

async function createFresh() {
  const fresh = await createEmpty(createMigratedDatabase);
  if (!fresh.isPostgres) await placeMigrated(join(fresh.dataDir, 'holdfast.db'));
  return fresh;
}

async function createEmpty(createDatabase = createTestDatabase) {
  const opened = new AsyncDisposableStack();
  const { url } = opened.use(await createDatabase());
  const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-upgrade-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const config = readConfig({ DATA_DIR: dataDir, SECRET_KEY: secretKey, ...(url !== null && { DATABASE_URL: url }) });
  return {
    url,
    dataDir,
    isPostgres: url !== null,
    open: () => openContext(config, pino({ level: 'silent' })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Applies the scripts up to `newest` as the program of that time did, and inserts rows. */
async function createOlder(newest = '0015-upload-keys.sql', inserted = rows) {
  const empty = await createEmpty();
  const names = (await readdir(folder)).filter((name) => name <= newest).toSorted();
  const scripts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  await executeAll(empty, [
    ...(empty.isPostgres ? [`CREATE COLLATION IF NOT EXISTS "binary" (provider = libc, locale = 'C')`] : []),
    'CREATE TABLE migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
    ...scripts,
    ...names.map((name) => `INSERT INTO migrations VALUES ('${name}', 0)`),
    ...Object.entries(inserted).flatMap(([table, all]) =>
      all.map(
        (row) =>
          `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`,
      ),
    ),
  ]);
  return empty;
}

const literal = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

async function executeAll(
  { url, dataDir }: { url: string | null; dataDir: string },
  statements: readonly string[],
): Promise<void> {
  if (url === null) {
    using file = new DatabaseSync(join(dataDir, 'holdfast.db'));
    for (const each of statements) file.exec(each);
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const each of statements) await client.query(each);
  } finally {
    await client.end();
  }
}
