import { sql } from 'kysely';
import { expect } from 'vitest';
import { createActionLog } from '../../src/jobs/heartbeat.ts';
import { recordAction } from '../../src/storage/db/record-action.ts';
import { startServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const ada = { operator: 'ada', action: 'file take-down' };

test.each(["UPDATE operator_actions SET operator = 'bob'", 'DELETE FROM operator_actions'])(
  'the log of the operators refuses: %s',
  async (statement) => {
    await using server = await startServer();
    const { db } = server.context;
    await recordAction(server.context, ada, { subject: 'q7Rt2mXa', reference: 'A', details: { files: 3 } });
    const before = await db.selectFrom('operator_actions').selectAll().execute();
    expect(before).toMatchObject([{ operator: 'ada', subject: 'q7Rt2mXa', reference: 'A', details: '{"files":3}' }]);
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('operator_actions is only added to');
    expect(await db.selectFrom('operator_actions').selectAll().execute()).toEqual(before);
  },
);

test('the log of the operators can be neither overwritten nor truncated', async ({ server }) => {
  const { db } = server.context;
  await recordAction(server.context, ada, { subject: 'q7Rt2mXa' });
  const [line] = await db.selectFrom('operator_actions').selectAll().execute();
  const row = sql`(id, at, operator, action, subject, details) VALUES (${line?.id}, 1, 'bob', 'x', 'y', '{}')`;
  const over = sql`INSERT INTO operator_actions ${row}`;
  const ways =
    process.env['TEST_DATABASE'] === 'postgres'
      ? [sql`${over} ON CONFLICT (id) DO UPDATE SET operator = 'bob'`, sql`TRUNCATE operator_actions`]
      : [sql`INSERT OR REPLACE INTO operator_actions ${row}`, over];
  for (const way of ways) await expect(way.execute(db)).rejects.toThrow('operator_actions is only added to');
  expect(await db.selectFrom('operator_actions').selectAll().execute()).toEqual([line]);
});

test('a failed action leaves no log line', async ({ server }) => {
  const { context } = server;
  const failing = context.db.transaction().execute(async (tx) => {
    await recordAction({ ...context, db: tx }, ada, { subject: 'q7Rt2mXa' });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await context.db.selectFrom('operator_actions').selectAll().execute()).toEqual([]);
});

test('the log of the server has each entry whole, once', async ({ server }) => {
  const { context, log } = server;
  await recordAction(context, { ...ada, sudoUser: 'eve' }, { subject: 'q7Rt2mXa', details: { files: 3 } });
  const logActions = createActionLog(context);
  await logActions();
  await recordAction(context, ada, { subject: 'second', reference: 'A' });
  for (let times = 0; times < 2; times += 1) await logActions();
  const lines = log.map((line) => JSON.parse(line) as object).filter((line) => 'sudo_user' in line);
  const first = { event: 'operator-action', operator: 'ada', action: 'file take-down', subject: 'q7Rt2mXa' };
  expect(lines).toMatchObject([
    { ...first, sudo_user: 'eve', details: { files: 3 } },
    { sudo_user: null, subject: 'second', reference: 'A' },
  ]);
});
