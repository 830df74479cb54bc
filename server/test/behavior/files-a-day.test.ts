/** What an account leaves behind is bounded: new files a day, and names that are never used again. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { days } from '../../src/lib/clock.ts';
import { upload } from '../../src/uploads/keep.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';
import { formWith, sendForm } from '../harness/uploads.ts';
import { watchStatements } from '../harness/watched-statements.ts';

const free = 500 * 10;
const everyMs = days(1) / free;

const fullAt = async ({ context: { db } }: TestServer, { email }: SignedIn) => {
  const row = db.selectFrom('accounts').select('files_full_at').where('email', '=', email);
  return (await row.executeTakeFirstOrThrow()).files_full_at;
};

const leave = ({ context: { db, clock } }: TestServer, { email }: SignedIn, files: number) =>
  db
    .updateTable('accounts')
    .set({ files_full_at: clock.now() + (free - files) * everyMs })
    .where('email', '=', email)
    .execute();

test.each([false, true])(
  'an account adds ten times its slots of files a day, and then one at a time (Continuous Uploading: %s)',
  async (continuous_uploading) => {
    await using server = await startServer();
    const account = await signUpAndIn(server);
    await account.browser.client.setAccountSettings({ body: { continuous_uploading } });
    const send = () => sendForm(server, account, formWith(randomBytes(8)));
    await leave(server, account, 2);
    expect([await send(), await send()]).toMatchObject([{ status: 200 }, { status: 200 }]);
    const headers = { 'X-API-Key': account.apiKey };
    const refused = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body: formWith('x') });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '18']);
    expect(await refused.text()).toContain('5,000 new files a day');
    server.clock.advance(everyMs);
    expect([await send(), await send()]).toMatchObject([{ status: 200 }, { status: 429 }]);
  },
);

test('of uploads at once no more are stored than the day allows, and refused ones do not count', async ({ server }) => {
  const account = await signUpAndIn(server);
  const before = await fullAt(server, account);
  expect(await sendForm(server, account, formWith('x', 'program.exe'))).toMatchObject({ status: 415 });
  expect(await fullAt(server, account)).toBe(before);
  await leave(server, account, 3);
  const caller = await keyCaller(server, account);
  const uploads = Array.from({ length: 8 }, () => upload(server.context, caller, onePart(randomBytes(8))));
  const stored = (await Promise.allSettled(uploads)).filter(({ status }) => status === 'fulfilled');
  expect(stored).toHaveLength(3);
});

test('an upload gets no name that a file had whose row is gone', async ({ server, account }) => {
  const { context } = server;
  await context.db.insertInto('used_names').values({ name: 'used1234' }).execute();
  let inserts = 0;
  const db = watchStatements(context.db, {
    change(statement, query) {
      if (statement !== 'InsertQueryNode files' || (inserts += 1) > 1) return query;
      const [, , chosen] = query.parameters;
      return { ...query, parameters: query.parameters.map((each) => (each === chosen ? 'used1234' : each)) };
    },
  });
  await upload({ ...context, db }, await keyCaller(server, account), onePart(randomBytes(8)));
  expect(inserts).toBe(2);
  const { name } = await context.db.selectFrom('files').select('name').executeTakeFirstOrThrow();
  expect(name).not.toBe('used1234');
});
