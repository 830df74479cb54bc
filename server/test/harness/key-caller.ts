import type { Caller } from '../../src/accounts/identify.ts';
import type { SignedIn } from './accounts.ts';
import type { TestServer } from './start-server.ts';

/** Whoever calls with the account's key, as a function of the app takes it. */
export async function keyCaller(
  { context: { db } }: Pick<TestServer, 'context'>,
  { email }: Pick<SignedIn, 'email'>,
): Promise<Caller> {
  const account = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
  return { account, by: 'key', sessionId: null };
}
