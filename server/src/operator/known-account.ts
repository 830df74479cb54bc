import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { accountByEmail } from '../accounts/find-account.ts';

/**
 * Returns the open account with the email address that an operator entered.
 * @throws {Failure} NOT_FOUND.
 */
export async function knownAccount(context: Pick<Context, 'db'>, email: string): Promise<AccountRow> {
  const account = await accountByEmail(context, email);
  if (!account) throw new Failure('NOT_FOUND', `There is no open account '${email}'.`);
  return account;
}

/**
 * Returns an account by its id. This includes deleted accounts, which no longer have an email address.
 * @throws {Failure} NOT_FOUND.
 */
export async function knownAccountId({ db }: Pick<Context, 'db'>, id: string): Promise<AccountRow> {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!account) throw new Failure('NOT_FOUND', `There is no account of the id '${id}'.`);
  return account;
}
