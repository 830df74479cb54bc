import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { passwordChangedEmail } from '../email/templates.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { renewedKey } from './api-key.ts';
import { spend } from '../http/rate-limits.ts';
import type { Caller } from './identify.ts';
import { hashPassword, isRightPassword, refuseCommonPassword } from './passwords.ts';
import { closeResetKeys } from './reset-keys.ts';
import { rememberBrowser } from './sealed-cookies.ts';
import { endSessionsOf, giveSessionCookie, renewSession } from './sessions.ts';

export interface PasswordChange {
  readonly old_password: string;
  readonly new_password: string;
  readonly change_api_key?: boolean | undefined;
  readonly captcha_token?: string | undefined;
}

/**
 * Makes other browsers unknown too.
 * @throws {Failure} TOO_MANY_ATTEMPTS, CAPTCHA_FAILED, INVALID_INPUT, OLD_PASSWORD_WRONG.
 */
export async function changePassword(
  context: Context,
  caller: Caller,
  cookies: CookieJar,
  client: Pick<ClientFacts, 'address' | 'gone'>,
  form: PasswordChange,
): Promise<void> {
  const { account } = caller;
  if (!(await context.captcha.check(form.captcha_token, 'change_password'))) throw new Failure('CAPTCHA_FAILED');
  refuseCommonPassword(context, form.new_password, account.email);
  const forgiveAddress = await spend(context, 'old passwords', client.address);
  const forgiveAccount = await spend(context, 'old passwords by account', `${account.id} ${account.password_version}`);
  const forgive = () => Promise.all([forgiveAddress(), forgiveAccount()]);
  if (
    !(await isRightPassword(form.old_password, account.password_hash, {
      cost: context.passwordCost,
      gone: client.gone,
      forgive,
    }))
  )
    throw new Failure('OLD_PASSWORD_WRONG');
  const attempt = { gone: client.gone, forgive: await spend(context, 'password changes', account.id) };
  const passwordHash = await hashPassword(form.new_password, context.passwordCost, attempt);
  const token = await storeChange(context, caller, client, form, passwordHash);
  giveSessionCookie(cookies, token);
  rememberBrowser(context, cookies, { ...account, password_version: account.password_version + 1 });
}

/** Of several simultaneous changes, only one still finds the old password. */
function storeChange(
  context: Context,
  { account, sessionId }: Caller,
  { address }: Pick<ClientFacts, 'address'>,
  { change_api_key: keyChanged = true }: PasswordChange,
  passwordHash: string,
): Promise<string> {
  return context.db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('accounts')
      .set({
        password_hash: passwordHash,
        password_version: account.password_version + 1,
        ...(keyChanged && renewedKey(context, account.id).columns),
      })
      .where('id', '=', account.id)
      .where('password_hash', '=', account.password_hash)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(changed.numUpdatedRows) !== 1) throw new Failure('OLD_PASSWORD_WRONG');
    await closeResetKeys(tx, account.id);
    await endSessionsOf({ db: tx }, account.id, sessionId);
    await queueEmail({ ...context, db: tx }, passwordChangedEmail(context, account.email, { keyChanged }));
    return renewSession({ ...context, db: tx }, sessionId, address);
  });
}
