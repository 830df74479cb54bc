/** Starts beside others, as with several nodes, and before the database. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { loadSecretKey } from '../../src/config/secret-key.ts';
import { openContext } from '../../src/context.ts';
import { openPostgres } from '../../src/storage/db/postgres.ts';
import { openDatabaseRelay } from '../harness/database-relay.ts';
import { newFolder, newPlace } from '../harness/new-place.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';
const log = pino({ enabled: false });

test.runIf(postgres)('of several first starts on one PostgreSQL none fails', async () => {
  const { environment } = await newPlace();
  const config = readConfig({ ...environment, CAPTCHA: 'none' });
  const starts = await Promise.allSettled(Array.from({ length: 6 }, () => openContext(config, log)));
  await using opened = new AsyncDisposableStack();
  for (const start of starts) if (start.status === 'fulfilled') opened.use(start.value);
  expect(starts.map((start) => (start.status === 'rejected' ? String(start.reason) : 'started'))).toEqual(
    starts.map(() => 'started'),
  );
});

test('of several first starts in one folder none fails, and all use the same secret', async () => {
  for (let round = 0; round < 20; round += 1) {
    const config = readConfig({ DATA_DIR: await newFolder() });
    const secrets = await Promise.all(Array.from({ length: 6 }, () => loadSecretKey(config)));
    expect(new Set(secrets.map((secret) => secret.toString())).size).toBe(1);
  }
});

/** The address of an empty database that does not accept connections yet, and what a start logs meanwhile. */
async function prepareLateDatabase() {
  const { context } = await newPlace();
  const { database } = context.config;
  const relay = await openDatabaseRelay(database.engine === 'postgres' ? database.url : '');
  await relay.cut();
  const lines: string[] = [];
  return { relay, lines, log: { warn: (line: unknown) => void lines.push(String(line)) } };
}

test.runIf(postgres)('a start waits for its database', async () => {
  const { relay, lines, log: lateLog } = await prepareLateDatabase();
  const opening = openPostgres(relay.url, lateLog);
  await expect.poll(() => lines).toHaveLength(1);
  await relay.mend();
  const db = await opening;
  await db.destroy();
  expect(lines).toEqual([expect.stringMatching(/^waiting for the database: .*ECONNREFUSED/)]);
});

test.runIf(postgres)('a command does not wait, and neither does a start that is refused for its settings', async () => {
  const { relay, lines, log: lateLog } = await prepareLateDatabase();
  await expect(openPostgres(relay.url, lateLog, { schema: 'as it is' })).rejects.toThrow('ECONNREFUSED');
  await relay.mend();
  const elsewhere = new URL(relay.url);
  elsewhere.pathname = '/nosuchdatabase';
  await expect(openPostgres(elsewhere.href, lateLog)).rejects.toThrow('does not exist');
  expect(lines.join('')).not.toContain('waiting');
});
