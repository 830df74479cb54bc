/** Keys of reset links: 32 random bytes, for one use within 30 minutes, stored as a hash (decisions section 3). */
import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Database } from '../engines/database/database.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { emailKey } from './find-account.ts';
import { resetLinkValidFor } from './letters.ts';

/** Makes a key the only one of an address. `accountId` null is an address without an account: its key opens nothing. */
export async function openResetKey(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  email: string,
  accountId: string | null,
): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  const now = clock.now();
  const fresh = { account_id: accountId, key_hash: sha256Hex(key), expires_at: now + resetLinkValidFor };
  await db
    .insertInto('reset_keys')
    .values({ address_hash: sha256Hex(emailKey(email)), ...fresh })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(fresh))
    .execute();
  return key;
}

/** Whose key it is, while it works. */
export async function accountOfResetKey(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  key: string,
): Promise<{ id: string; email: string } | undefined> {
  return db
    .selectFrom('reset_keys')
    .innerJoin('accounts', 'accounts.id', 'reset_keys.account_id')
    .select(['accounts.id', 'accounts.email'])
    .where('reset_keys.key_hash', '=', sha256Hex(key))
    .where('reset_keys.expires_at', '>', clock.now())
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst();
}

/** Uses a key up. Of many that try at once one hears yes. */
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

/** Every change of a password ends the links that are under way. */
export async function closeResetKeys(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom('reset_keys').where('account_id', '=', accountId).execute();
}
