/** The audit log shows what was done to it by somebody who can write to the database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { allowChangesToActions, refuseChangesToActions } from '../../src/engines/database/refuse-changes-to-actions.ts';
import { watchActions } from '../../src/maintenance/watch-actions.ts';
import { makeBackup } from '../../src/operator/backup/make-backup.ts';
import { restoreBackup } from '../../src/operator/backup/restore-backup.ts';
import { recordAction } from '../../src/operator/record-action.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const ada = { operator: 'holdfast', sudoUser: 'ada', action: 'file take-down' };
const signal = new AbortController().signal;

async function recordActions(server: TestServer, subjects: readonly string[]): Promise<void> {
  for (const subject of subjects) {
    await recordAction(server.context, ada, { subject });
    server.clock.advance(1);
  }
}

async function tamper({ context: { db } }: TestServer, statement: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await allowChangesToActions(tx);
    await sql.raw(statement).execute(tx);
  });
}

const kindsOf = async (server: TestServer, repair = false) =>
  (await runFsck(server, { repair })).map(({ kind, repaired }) => `${kind}${repaired ? ' repaired' : ''}`);

test.each([
  ['an entry that was changed', "UPDATE operator_actions SET operator = 'bob' WHERE subject = 'second'", 1],
  ['an entry that was cut out', "DELETE FROM operator_actions WHERE subject = 'second'", 2],
  ['the newest entry deleted', "DELETE FROM operator_actions WHERE subject = 'third'", 2],
  ['the oldest entry deleted', "DELETE FROM operator_actions WHERE subject = 'first'", 1],
  ['all entries deleted', 'DELETE FROM operator_actions', 1],
  [
    'an entry added by hand',
    "INSERT INTO operator_actions (id, at, operator, action, subject, details) VALUES ('z', 1, 'bob', 'x', 'y', '{}')",
    1,
  ],
])('fsck finds %s', async (_what, statement, faults) => {
  await using server = await startServer();
  await recordActions(server, ['first', 'second', 'third']);
  expect(await kindsOf(server)).toEqual([]);
  await tamper(server, statement);
  const changed = Array.from({ length: faults }, () => 'actions-changed');
  expect(await kindsOf(server)).toEqual(['actions-unguarded', ...changed]);

  expect(await kindsOf(server, true)).toEqual(['actions-unguarded repaired', ...changed]);
  await expect(sql`DELETE FROM operator_actions`.execute(server.context.db)).rejects.toThrow('only added to');
  expect(await kindsOf(server)).toEqual(changed);
});

test.each([
  ['is deleted', []],
  ['and all entries are deleted', ['DELETE FROM operator_actions']],
])('fsck finds that the note of the newest entries %s, also after further entries', async (_what, statements) => {
  await using server = await startServer();
  const { db } = server.context;
  await recordActions(server, ['first', 'second']);
  for (const statement of [...statements, "DELETE FROM service_facts WHERE name = 'heads of the audit log'"])
    await tamper(server, statement);
  await db.transaction().execute(refuseChangesToActions);
  expect((await runFsck(server)).map(({ kind, says }) => `${kind}: ${says}`)).toEqual([
    'actions-changed: The database does not say any more which entry of the audit log is the newest.',
  ]);

  await recordActions(server, ['third']);
  const [third] = await db.selectFrom('operator_actions').select('id').where('subject', '=', 'third').execute();
  expect((await runFsck(server, { repair: true })).map(({ says }) => says)).toContain(
    `The entry before ${third?.id} is missing in the audit log.`,
  );
  expect(await kindsOf(server)).toContain('actions-changed');
});

test('fsck accepts an audit log without entries', async () => {
  await using server = await startServer();
  expect(await kindsOf(server)).toEqual([]);
  await recordActions(server, ['first']);
  expect(await kindsOf(server)).toEqual([]);
});

test('fsck finds triggers that were replaced by ones that refuse nothing', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const statements =
    process.env['TEST_DATABASE'] === 'postgres'
      ? ['ALTER TABLE operator_actions DISABLE TRIGGER operator_actions_are_kept']
      : [
          'DROP TRIGGER operator_actions_delete',
          'CREATE TRIGGER operator_actions_delete BEFORE DELETE ON operator_actions BEGIN SELECT 1; END',
        ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  expect(await kindsOf(server, true)).toEqual(['actions-unguarded repaired']);
  expect(await kindsOf(server)).toEqual([]);
});

test('entries of commands that run at once form one chain', async () => {
  await using server = await startServer();
  await Promise.all(Array.from({ length: 20 }, (_, n) => recordAction(server.context, ada, { subject: `${n}` })));
  expect(await server.context.db.selectFrom('operator_actions').selectAll().execute()).toHaveLength(20);
  expect(await kindsOf(server)).toEqual([]);
});

test('a restore keeps the hashes of the backup, and the entries that the new database has', async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-chain-'));
  const backup = join(folder, 'backup');
  await using server = await startServer();
  await recordActions(server, ['first', 'second']);
  await makeBackup(server.context, backup, { signal });
  await using second = await startServer();
  await recordActions(second, ['0020-chain-of-actions.sql']);
  await restoreBackup(second.context, backup, { actor: { ...ada, action: 'restore' }, signal });
  await recordActions(second, ['after']);

  const hashes = await hashesOf(second);
  expect(hashes).toHaveLength(5);
  expect(hashes).toEqual(expect.arrayContaining(await hashesOf(server)));
  const ofLog = (await runFsck(second)).filter(({ kind }) => kind.startsWith('actions'));
  expect(ofLog).toEqual([]);
  await tamper(second, "DELETE FROM operator_actions WHERE subject = 'second'");
  expect(await kindsOf(second)).toContain('actions-changed');
  await rm(folder, { recursive: true });
});

const hashesOf = async ({ context: { db } }: TestServer) =>
  (await db.selectFrom('operator_actions').select('hash').orderBy('id').execute()).map(({ hash }) => hash);

test('the log of the server has the hash of each entry, and an alarm when one disappears', async () => {
  await using server = await startServer();
  await recordActions(server, ['first']);
  await using watch = watchActions(server.context);
  await watch.look();
  await recordActions(server, ['second', 'third']);
  await watch.look();
  const [first, second, third] = await hashesOf(server);
  expect(linesOf(server)).toMatchObject([
    { event: 'audit-log', hash: first },
    { event: 'operator-action', operator: 'holdfast', sudo_user: 'ada', action: 'file take-down', hash: second },
    { event: 'operator-action', hash: third },
  ]);
  expect(server.log.join('')).not.toContain('third');

  // The chain is computed anew without the third entry.
  await tamper(server, `DELETE FROM operator_actions WHERE hash = '${third}'`);
  await tamper(server, `UPDATE service_facts SET value = '${second}' WHERE value = '${third}'`);
  expect(await kindsOf(server)).toEqual(['actions-unguarded']);
  await watch.look();
  expect(linesOf(server).at(-1)).toMatchObject({ msg: expect.stringContaining('ALARM'), hash: third });
});

test.each(['second', 'third', 'fourth'])(
  'the log has the surviving entries and an alarm if the %s entry is deleted within the minute',
  async (deleted) => {
    await using server = await startServer();
    await recordActions(server, ['first']);
    await using watch = watchActions(server.context);
    await watch.look();
    const subjects = ['second', 'third', 'fourth'];
    await recordActions(server, subjects);
    const hashes = await hashesOf(server);
    await tamper(server, `DELETE FROM operator_actions WHERE subject = '${deleted}'`);
    await watch.look();
    await watch.look();
    const surviving = hashes.filter((_, at) => subjects[at - 1] !== deleted);
    expect(linesOf(server).map(({ hash }) => hash)).toEqual([...surviving, hashes[subjects.indexOf(deleted) + 1]]);
    expect(alarmsOf(server)).toHaveLength(1);
  },
);

test('the deletion of the newest entry is an alarm, also at the start, and once', async () => {
  await using server = await startServer();
  await recordActions(server, ['first', 'second']);
  const [, second] = await hashesOf(server);
  await using watch = watchActions(server.context);
  await watch.look();
  await tamper(server, "DELETE FROM operator_actions WHERE subject = 'second'");
  await watch.look();
  await watch.look();
  expect(alarmsOf(server)).toMatchObject([{ hash: second }]);
  await using restarted = watchActions(server.context);
  await restarted.look();
  expect(alarmsOf(server)).toMatchObject([{ hash: second }, { hash: second }]);
  expect(linesOf(server).filter(({ event }) => event === 'audit-log')).toHaveLength(1);

  // The next entry follows the one that is missing.
  await recordActions(server, ['third']);
  await restarted.look();
  expect(linesOf(server).at(-1)).toMatchObject({ event: 'operator-action', hash: (await hashesOf(server)).at(-1) });
});

const alarmsOf = (server: TestServer) => linesOf(server).filter(({ msg }) => String(msg).includes('ALARM'));

const linesOf = ({ log }: TestServer) =>
  log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ hash }) => hash !== undefined);
