import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { unlessReadOnly } from '../storage/db/read-only.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { skipLocked } from '../storage/db/skip-locked.ts';
import type { RequestCredentials } from '../http/serve.ts';
import { hours } from '../lib/clock.ts';
import { emailKey, findAccountOfKey } from './find-account.ts';
import { findAccountByForm } from './key-in-form.ts';
import { type FoundSession, openSessionOf } from './sessions.ts';

export interface Caller {
  readonly account: AccountRow;
  readonly by: 'session' | 'key';
  /** The session of the request; null when it was authenticated by a key. */
  readonly sessionId: string | null;
  /** When the password was last entered in the session; 0 when the request was authenticated by a key. */
  readonly confirmedAt: number;
}

/** Found when a call was admitted, a moment before its caller is identified. */
export type Found =
  | { readonly by: 'session'; readonly session: FoundSession }
  | { readonly by: 'key'; readonly account: AccountRow };

/**
 * Returns the caller. If a request has both a key and a session, only the key counts. What was `found` a moment ago is
 * not looked up again.
 */
export async function identify(
  context: Context,
  { access, apiKey, keyInForm, actingFor, cookies, client }: RequestCredentials,
  found?: Found,
): Promise<Caller> {
  if (access === 'account' && apiKey !== undefined) {
    const account = found?.by === 'key' ? found.account : await findAccountOfKey(context, apiKey);
    return callerWithKey(context, account);
  }
  const session = await openSessionOf(context, cookies, client, found?.by === 'session' ? found.session : undefined);
  if (!session && keyInForm) return callerWithKey(context, await findAccountByForm(context, keyInForm));
  if (!session) throw new Failure('AUTH_REQUIRED');
  if (actingFor !== undefined && emailKey(actingFor) !== session.account.email_key)
    throw new Failure('ACCOUNT_CHANGED');
  return { ...session, by: 'session' };
}

const callerWithKey = async (context: Context, account: AccountRow | undefined): Promise<Caller> => ({
  account: await useKeyOf(context, account),
  by: 'key',
  sessionId: null,
  confirmedAt: 0,
});

/** Using a key counts as activity. It is recorded at most once an hour, so that most reads write nothing. */
const noteActivityEvery = hours(1);

async function useKeyOf({ db, clock }: Context, account: AccountRow | undefined): Promise<AccountRow> {
  if (!account) throw new Failure('AUTH_INVALID_KEY');
  if (account.verified_at === null) throw new Failure('ACCOUNT_NOT_VERIFIED');
  const now = clock.now();
  if (account.last_active_at < now - noteActivityEvery) {
    // A row that another transaction holds is noted by a later call, so that this one does not wait.
    const free = skipLocked(db, db.selectFrom('accounts').select('id').where('id', '=', account.id));
    await unlessReadOnly(db.updateTable('accounts').set({ last_active_at: now }).where('id', 'in', free).execute());
  }
  return account;
}
