import { randomBytes } from 'node:crypto';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { onePart } from '../harness/one-part.ts';
import { startServer } from '../harness/start-server.ts';
import { storedNames } from '../harness/stored-bytes.ts';

test.each(['space', 'slots'] as const)('concurrent uploads cannot exceed the quota of %s', async (kind) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const room = kind === 'space' ? { space_used: 500_000_000 - 3 * 1000 } : { slots_used: 497 };
  await server.context.db.updateTable('accounts').set(room).where('email', '=', account.email).execute();
  // The test races the commit itself: the limit of four uploads at a time in one process would hide races between
  // nodes.
  const { upload } = await import('../../src/uploads/keep.ts');
  const row = await server.context.db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', account.email)
    .executeTakeFirstOrThrow();
  const caller = { account: row, by: 'key', sessionId: null, confirmedAt: 0 } as const;
  const results = await Promise.allSettled(
    // Each has a connection at once: on a busy machine, one that waits for a connection may be refused.
    Array.from({ length: 12 }, () => upload(server.context, caller, onePart(randomBytes(1000)))),
  );
  const outcomes = results
    .map((result) => (result.status === 'fulfilled' ? 'kept' : reasonOf(result.reason)))
    .toSorted();
  const refused = Array.from({ length: 9 }, () => 'UPLOAD_QUOTA_EXCEEDED');
  expect(outcomes).toEqual([...refused, 'kept', 'kept', 'kept']);
  expect(await storedNames(server)).toHaveLength(3);
});

const reasonOf = (error: unknown) => (error instanceof Failure ? error.code : String(error));
