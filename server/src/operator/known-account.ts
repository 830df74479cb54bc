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
