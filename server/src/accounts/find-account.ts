import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';

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
  return account?.verified_at === null ? account : undefined;
}
