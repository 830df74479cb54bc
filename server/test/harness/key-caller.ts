import type { Caller } from '../../src/accounts/identify.ts';
import type { SignedIn } from './accounts.ts';
import type { TestServer } from './start-server.ts';

/** The caller with the account's key, as the functions of the app expect it. */
export async function keyCaller(
  { context: { db } }: Pick<TestServer, 'context'>,
  { email }: Pick<SignedIn, 'email'>,
): Promise<Caller> {
  const account = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
  return { account, by: 'key', sessionId: null, confirmedAt: 0 };
}
