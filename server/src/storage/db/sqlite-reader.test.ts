import { expect, test } from 'vitest';
import { createReader, startReading } from './sqlite-reader.ts';

const select = { sql: 'SELECT 1 AS one', parameters: [] };

test('calls are answered in their order, each with its own error', async () => {
  const reader = createReader(':memory:', 0);
  const asked = [reader.run(select), reader.run({ ...select, sql: 'SELECT missing' }), reader.run(select)] as const;
  expect(await asked[0]).toEqual({ rows: [{ one: 1 }] });
  await expect(asked[1]).rejects.toMatchObject({ errcode: 1, message: 'no such column: missing' });
  expect(await asked[2]).toEqual({ rows: [{ one: 1 }] });
  await reader.close();
});

test('the calls of a thread that dies fail with the reason', async () => {
  const thread = startReading(new URL("data:text/javascript,throw new Error('out of memory')"));
  const cause = expect.objectContaining({ message: 'out of memory' }) as Error;
  const failed = { name: 'DatabaseUnavailable', cause: expect.objectContaining({ cause }) as Error };
  for (let times = 1; times <= 2; times += 1) await expect(thread.ask(select)).rejects.toMatchObject(failed);
  expect(thread.failure()).toMatchObject(failed);
});
