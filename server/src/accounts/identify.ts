import { errorCatalog, Failure } from '@holdfast/contract/src/errors.ts';
import { type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import { unlessReadOnly } from '../storage/db/read-only.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { skipLocked } from '../storage/db/lock-rows.ts';
import type { RequestCredentials } from '../http/serve.ts';
import { minutes } from '../lib/clock.ts';
import { findAccountOfKey } from './api-key.ts';
import { emailKey } from './find-account.ts';
import { type FoundSession, openSessionOf } from './sessions.ts';

export interface Caller {
  readonly account: AccountRow;
  readonly by: 'session' | 'key';
  /** Null when it was authenticated by a key. */
  readonly sessionId: string | null;
  /** When the password was last entered in the session. */
  readonly confirmedAt: number;
}

export type Found =
  | { readonly by: 'session'; readonly session: FoundSession }
  | { readonly by: 'key'; readonly account: AccountRow };

interface Counted {
  readonly found?: Found | undefined;
  /** @throws {Failure} RATE_LIMITED. */
  readonly countForm?: (key: string | undefined) => Promise<void>;
}

/** If a request has both a key and a session, only the key counts. */
export async function identify(
  context: Context,
  { access, apiKey, keyInForm, actingFor, cookies, client, isChange }: RequestCredentials,
  { found, countForm }: Counted = {},
): Promise<Caller> {
  if (access === 'account' && apiKey !== undefined) {
    const account = found?.by === 'key' ? found.account : await findAccountOfKey(context, apiKey);
    return callerWithKey(context, account);
  }
  const session = await openSessionOf(context, cookies, client, found?.by === 'session' ? found.session : undefined);
  if (!session && keyInForm) return callerWithKey(context, await findAccountByForm(context, keyInForm, countForm));
  if (!session) throw new Failure('AUTH_REQUIRED');
  if (actingFor !== undefined && emailKey(actingFor) !== session.account.email_key)
    throw new Failure('ACCOUNT_CHANGED');
  // The browser has the new token by now.
  if (session.isPrevious && isChange) throw new Failure('UNAVAILABLE', undefined, { retryAfterSeconds: 1 });
  return { ...session, by: 'session' };
}

const callerWithKey = async (context: Context, account: AccountRow | undefined): Promise<Caller> => ({
  account: await useKeyOf(context, account),
  by: 'key',
  sessionId: null,
  confirmedAt: 0,
});

const noteUseEvery = minutes(1);

async function useKeyOf({ db, clock }: Context, account: AccountRow | undefined): Promise<AccountRow> {
  if (!account) throw new Failure('AUTH_INVALID_KEY');
  if (account.verified_at === null) throw new Failure('ACCOUNT_NOT_VERIFIED');
  const now = clock.now();
  if (account.key_used_at < now - noteUseEvery) {
    // It does not wait for a row that another transaction holds, and does not mark a key that has been replaced.
    const free = skipLocked(
      db,
      db.selectFrom('accounts').select('id').where('id', '=', account.id).where('key_hash', '=', account.key_hash),
    );
    const used = { last_active_at: now, key_used_at: now };
    await unlessReadOnly(db.updateTable('accounts').set(used).where('id', 'in', free).execute());
  }
  return account;
}

/**
 * While no account allows it, the form of somebody unknown is not read.
 * @throws {Failure} AUTH_REQUIRED when there is no key, or its account does not allow it there.
 */
async function findAccountByForm(
  context: Pick<Context, 'db'>,
  keyInForm: () => Promise<string | undefined>,
  count: Counted['countForm'],
): Promise<AccountRow | undefined> {
  const key = (await isAllowedBySome(context)) ? (await keyInForm())?.trim() : undefined;
  const account = key === undefined ? undefined : await findAccountOfKey(context, key);
  await count?.(account?.key_in_form === 1 ? key : undefined);
  if (key === undefined || account?.key_in_form === 0) throw noKey();
  return account;
}

async function isAllowedBySome({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const some = await db
    .selectFrom('accounts')
    .select('id')
    // The condition of the index.
    .where(sql<SqlBool>`key_in_form = 1 AND closed_at IS NULL`)
    .limit(1)
    .executeTakeFirst();
  return some !== undefined;
}

const noKey = () =>
  new Failure(
    'AUTH_REQUIRED',
    `${errorCatalog.AUTH_REQUIRED.message} A form field 'api_key' before the file works too, if you allow it on the Account Info page.`,
  );
