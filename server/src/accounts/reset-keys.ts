import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Database } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { minutes } from '../lib/clock.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { emailKey } from './find-account.ts';

export const resetKeyValidFor = minutes(30);

/** Invalidates earlier keys of the address. Without an account, the key opens nothing. */
export async function openResetKey(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  email: string,
  accountId: string | null,
): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  const expiresAt = clock.now() + resetKeyValidFor;
  const fresh = { account_id: accountId, key_hash: sha256Hex(key), expires_at: expiresAt };
  await db
    .insertInto('reset_keys')
    .values({ address_hash: sha256Hex(emailKey(email)), ...fresh })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(fresh))
    .execute();
  return key;
}

export async function accountOfResetKey(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  key: string,
): Promise<Pick<AccountRow, 'id' | 'email' | 'verified_at' | 'asked_at'> | undefined> {
  return db
    .selectFrom('reset_keys')
    .innerJoin('accounts', 'accounts.id', 'reset_keys.account_id')
    .select(['accounts.id', 'accounts.email', 'accounts.verified_at', 'accounts.asked_at'])
    .where('reset_keys.key_hash', '=', sha256Hex(key))
    .where('reset_keys.expires_at', '>', clock.now())
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst();
}

/** Of many simultaneous attempts, only one returns true. */
export async function takeResetKey(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  key: string,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('reset_keys')
    .where('key_hash', '=', sha256Hex(key))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return Number(taken.numDeletedRows) === 1;
}

export async function closeResetKeys(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom('reset_keys').where('account_id', '=', accountId).execute();
}
