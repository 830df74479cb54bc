/**
 * A published client sends its key in the form of an upload and cannot send a header. To find the account, the server has
 * to read the form of somebody unknown, and a key in a body ends up in more logs than one in a header. So each account
 * has to allow it first, and while none does, no such form is read.
 */
import { errorCatalog, Failure } from '@holdfast/contract/src/errors.ts';
import { type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { findAccountOfKey } from './find-account.ts';

/**
 * Stores whether uploads of the account may carry its key in their form.
 * @throws {Failure} AUTH_REQUIRED when the account was closed meanwhile.
 */
export async function allowKeyInForm({ db }: Pick<Context, 'db'>, accountId: string, allowed: boolean): Promise<void> {
  const changed = await db
    .updateTable('accounts')
    .set({ key_in_form: allowed ? 1 : 0 })
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (Number(changed.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
}

/**
 * Finds the open account of the key in a form; undefined if the key is nobody's.
 * @throws {Failure} AUTH_REQUIRED when there is no key, or its account does not allow it there.
 */
export async function findAccountByForm(
  context: Pick<Context, 'db'>,
  keyInForm: () => Promise<string | undefined>,
): Promise<AccountRow | undefined> {
  const key = (await isAllowedBySome(context)) ? await keyInForm() : undefined;
  if (key === undefined) throw noKey();
  const account = await findAccountOfKey(context, key.trim());
  if (account?.key_in_form === 0) throw noKey();
  return account;
}

async function isAllowedBySome({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const some = await db
    .selectFrom('accounts')
    .select('id')
    // Matches the condition of the index so that the index is used.
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
