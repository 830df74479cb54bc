import { expect, test } from 'vitest';
import { createReaders } from './sqlite-readers.ts';

const dying = new URL("data:text/javascript,throw new Error('out of memory')");
const select = { sql: 'SELECT 1 AS one', parameters: [] };

/** Threads on a database in memory, and the errors that they log. */
function open(program?: URL) {
  const logged: unknown[] = [];
  const log = { error: (about: unknown) => void logged.push(about) };
  const options = { path: ':memory:', pragmas: [], busyMs: 0, log };
  return { logged, readers: createReaders(program ? { ...options, program } : options) };
}

test('calls of one thread are answered in their order, each with its own error', async () => {
  const { readers, logged } = open();
  await readers.use('statement', async (thread) => {
    const asked = [thread.run(select), thread.run({ ...select, sql: 'SELECT missing' }), thread.run(select)] as const;
    expect(await asked[0]).toEqual({ rows: [{ one: 1 }] });
    await expect(asked[1]).rejects.toMatchObject({ errcode: 1, message: 'no such column: missing' });
    expect(await asked[2]).toEqual({ rows: [{ one: 1 }] });
  });
  await readers.close();
  expect(logged).toEqual([]);
});

test('the calls of a thread that dies fail, the log has the reason, and the next call starts another', async () => {
  const { readers, logged } = open(dying);
  const ask = () => readers.use('statement', (thread) => thread.run(select));
  const cause = expect.objectContaining({ message: 'out of memory' });
  const failed = { name: 'DatabaseUnavailable', cause: expect.objectContaining({ cause }) };
  for (let times = 1; times <= 2; times += 1) {
    await expect(ask()).rejects.toMatchObject(failed);
    expect(logged).toEqual(Array.from({ length: times }, () => ({ err: expect.objectContaining(failed) })));
  }
  await readers.close();
});
