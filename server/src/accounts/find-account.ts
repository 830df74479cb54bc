import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';

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

/** @throws {Failure} NOT_FOUND when no open account has the email address. */
export async function knownAccount(context: Pick<Context, 'db'>, email: string): Promise<AccountRow> {
  const account = await accountByEmail(context, email);
  if (!account) throw new Failure('NOT_FOUND', `There is no open account '${email}'.`);
  return account;
}

/** It may be closed. @throws {Failure} NOT_FOUND when no account ever had the id. */
export async function accountById({ db }: Pick<Context, 'db'>, id: string): Promise<AccountRow> {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!account) throw new Failure('NOT_FOUND', `There is no account with the id '${id}'.`);
  return account;
}

export async function unverifiedAccount(context: Pick<Context, 'db'>, email: string): Promise<AccountRow | undefined> {
  const account = await accountByEmail(context, email);
  return account?.verified_at === null && account.asked_at === null ? account : undefined;
}
