/** Statements whose text is built once, and several of them sent at once. */
import { afterEach, expect } from 'vitest';
import { prepared } from '../../src/storage/db/prepared.ts';
import { rowsOf, runTogether, statement } from '../../src/storage/db/statement.ts';
import { shareServer } from '../harness/server-test.ts';

const { server, test } = await shareServer();
afterEach(() => server.context.db.deleteFrom('blocked_digests').execute());

const block = statement((db, { sha256, at }: { readonly sha256: string; readonly at: number }) =>
  db
    .insertInto('blocked_digests')
    .values({ sha256, reason: 'takedown', reference: 'a', blocked_at: at })
    .returning('blocked_at')
    .modifyEnd(prepared),
);
const count = statement((db, { since }: { readonly since: number }) =>
  db
    .selectFrom('blocked_digests')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('blocked_at', '>=', since)
    .modifyEnd(prepared),
);
const bump = statement((db, { by }: { readonly by: number }) =>
  db
    .updateTable('blocked_digests')
    .set((eb) => ({ blocked_at: eb('blocked_at', '+', by) }))
    .returning('blocked_at')
    .modifyEnd(prepared),
);

test('the text of a statement is built once and takes other values each time', async () => {
  const { db } = server.context;
  let built = 0;
  const counted = statement((at, { since }: { readonly since: number }) => {
    built += 1;
    return at.selectFrom('blocked_digests').select('sha256').where('blocked_at', '>=', since).orderBy('sha256');
  });
  for (const [at, sha256] of ['a', 'b', 'c'].entries()) await rowsOf(db, block(db, { sha256, at }));
  expect(await rowsOf(db, counted(db, { since: 1 }))).toEqual([{ sha256: 'b' }, { sha256: 'c' }]);
  expect(await rowsOf(db, counted(db, { since: 2 }))).toEqual([{ sha256: 'c' }]);
  expect(built).toBe(1);
});

test('a statement that computes with a value is refused, because its text is built only once', async () => {
  const next = statement((db, { at }: { readonly at: number }) =>
    db
      .selectFrom('blocked_digests')
      .select('sha256')
      .where('blocked_at', '>', at + 1),
  );
  expect(() => next(server.context.db, { at: 1 })).toThrow("cannot depend on 'at'");
});

test('statements that are sent together run in their order, and null is none', async () => {
  const rows = await server.context.db
    .transaction()
    .execute((tx) =>
      runTogether(tx, [
        count(tx, { since: 0 }),
        block(tx, { sha256: 'a', at: 1 }),
        null,
        bump(tx, { by: 5 }),
        count(tx, { since: 6 }),
        bump(tx, { by: 1 }),
      ]),
    );
  expect(rows).toEqual([
    [{ rows: 0 }],
    [{ blocked_at: 1 }],
    [],
    [{ blocked_at: 6 }],
    [{ rows: 1 }],
    [{ blocked_at: 7 }],
  ]);
});

test('the first that fails is the reason, and nothing of the transaction is kept', async () => {
  const { db } = server.context;
  await rowsOf(db, block(db, { sha256: 'a', at: 1 }));
  const broken = db.transaction().execute(async (tx) => {
    await runTogether(tx, [
      block(tx, { sha256: 'b', at: 1 }),
      block(tx, { sha256: 'a', at: 1 }),
      bump(tx, { by: 5 }),
      block(tx, { sha256: 'b', at: 1 }),
    ]);
  });
  await expect(broken).rejects.toThrow(/unique/i);
  expect(await rowsOf(db, count(db, { since: 0 }))).toEqual([{ rows: 1 }]);
  expect(await rowsOf(db, count(db, { since: 2 }))).toEqual([{ rows: 0 }]);
});
