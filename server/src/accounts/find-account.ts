import type { Context } from '../context.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { rowsOf, statement } from '../storage/db/statement.ts';
import { apiKeyHash, looksLikeApiKey } from './api-key.ts';

/** Email addresses that differ only in case belong to the same account. */
export const emailKey = (email: string): string => email.toLowerCase();

export function accountByEmail({ db }: Pick<Context, 'db'>, email: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('email_key', '=', emailKey(email))
    .where('closed_at', 'is', null)
    .executeTakeFirst();
}

export async function unverifiedAccount(context: Pick<Context, 'db'>, email: string): Promise<AccountRow | undefined> {
  const account = await accountByEmail(context, email);
  return account?.verified_at === null && account.asked_at === null ? account : undefined;
}

export async function findAccountOfKey({ db }: Pick<Context, 'db'>, key: string): Promise<AccountRow | undefined> {
  if (!looksLikeApiKey(key)) return undefined;
  const [account] = await rowsOf(db, accountOfKey(db, { keyHash: apiKeyHash(key) }));
  return account;
}

const accountOfKey = statement((db, { keyHash }: { readonly keyHash: string }) =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('closed_at', 'is', null)
    .modifyEnd(prepared),
);
