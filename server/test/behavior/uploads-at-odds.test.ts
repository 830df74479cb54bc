/** Uploads that cannot be stored in the way that nearly all are, at once and with the first name drawn. */
import { expect } from 'vitest';
import { upload } from '../../src/uploads/keep.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import { download, sha256, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { watchStatements } from '../harness/watched-statements.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

test('a name that is taken is drawn again, longer after four times, and the file counts once', async ({ server }) => {
  const { context } = server;
  const account = await signUpAndIn(server);
  const taken = await uploadFile(server, account, 'the first');
  const caller = await keyCaller(server, account);
  for (const [times, length] of [
    [1, 8],
    [4, 9],
  ] as const) {
    let left: number = times;
    const db = watchStatements(context.db, {
      change(statement, query) {
        if (statement !== 'InsertQueryNode files' || left === 0) return query;
        left -= 1;
        const drawn = query.parameters.findIndex((value) => /^[0-9A-Za-z]{8}$/.test(String(value)));
        return { ...query, parameters: query.parameters.with(drawn, taken) };
      },
    });
    const text = `drawn ${times} times`;
    const name = storedNameOf((await upload({ ...context, db }, caller, onePart(Buffer.from(text)))).url);
    expect({ left, length: name.length }).toEqual({ left: 0, length });
    expect(await download(server, name)).toBe(sha256(text));
  }
  expect(await download(server, taken)).toBe(sha256('the first'));
  const { usage } = (await account.browser.client.getAccountInfo()).account;
  expect(usage).toMatchObject({ slots_used: 3, space_used: 'the first'.length + 2 * 'drawn 1 times'.length });
  expect(await storedNames(server)).toHaveLength(3);
});
