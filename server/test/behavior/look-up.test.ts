import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { createLookUp } from '../../src/delivery/look-up.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

/** The look-up of a server that has files, and the number of its database queries. */
async function openLookUp(files: number) {
  const server = await startServer();
  const account = await signUpAndIn(server, { plan: 'power' });
  const names = [];
  for (let at = 0; at < files; at += 1) names.push(await uploadFile(server, account, `file ${at}`));
  const { db } = server.context;
  const asked: number[] = [];
  const execute = db.executeQuery.bind(db);
  db.executeQuery = (query: CompiledQuery<never>) => {
    asked.push(query.parameters.length);
    return execute(query);
  };
  return { server, account, names, asked, look: createLookUp(server.context.db) };
}

test('requests in one turn of the event loop share one query, and each gets its own result', async () => {
  const { server, names, asked, look } = await openLookUp(5);
  await using _ = server;
  const order = [...names, 'nosuchfile', ...names];
  const found = await Promise.all(order.map(look));
  expect(found.map((file) => (file as { name?: string } | undefined)?.name)).toEqual(
    order.map((name) => (name === 'nosuchfile' ? undefined : name)),
  );
  expect(asked).toEqual([8]);
  expect(await look(names[0] ?? '')).toMatchObject({ size: 6, level: 'power', extension: 'txt' });
  expect(asked).toEqual([8, 1]);
});

test('150 concurrent look-ups are split into queries of at most 64 names', async () => {
  const { server, names, asked, look } = await openLookUp(1);
  await using _ = server;
  const crowd = Array.from({ length: 150 }, (_each, at) => `name${at}`);
  const found = await Promise.all([...crowd, ...names].map(look));
  expect(found.filter((file) => file !== undefined)).toHaveLength(1);
  expect(asked).toEqual([64, 64, 32]);
});

test('a file that is deleted or whose account is closed is not found', async () => {
  const { server, account, names, look } = await openLookUp(2);
  await using _ = server;
  const [first = '', second = ''] = names;
  await account.byKey.deleteFiles({ body: { files: [first] } });
  expect(await Promise.all([look(first), look(second)])).toEqual([undefined, expect.anything()]);
  await server.context.db.updateTable('accounts').set({ closed_at: 1 }).execute();
  expect(await look(second)).toBeUndefined();
});

test('if the database fails, all waiting look-ups reject, and so does the next one', async () => {
  const { server, names, look } = await openLookUp(1);
  const asking = Promise.allSettled([look(names[0] ?? ''), look('nosuchfile')]);
  await server.context.db.destroy();
  expect((await asking).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(look('nosuchfile')).rejects.toThrow();
  await expect(server[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
