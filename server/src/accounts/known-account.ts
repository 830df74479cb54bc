import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { accountByEmail } from './find-account.ts';

/**
 * The open account that an operator names by its address.
 * @throws {Failure} NOT_FOUND.
 */
export async function knownAccount(context: Pick<Context, 'db'>, email: string): Promise<AccountRow> {
  const account = await accountByEmail(context, email);
  if (!account) throw new Failure('NOT_FOUND', `There is no open account '${email}'.`);
  return account;
}

/**
 * An account by its id, deleted ones too: those have no address any more.
 * @throws {Failure} NOT_FOUND.
 */
export async function knownAccountId({ db }: Pick<Context, 'db'>, id: string): Promise<AccountRow> {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!account) throw new Failure('NOT_FOUND', `There is no account of the id '${id}'.`);
  return account;
}
