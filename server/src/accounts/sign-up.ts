import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { newRowId } from '../lib/row-id.ts';
import { apiKeyHash, newApiKey, sealApiKey } from './api-key.ts';
import { limitSignUp } from './auth-limits.ts';
import { hashNewPassword } from './check-password.ts';
import { sendNewCode } from './email-code.ts';
import { emailKey } from './find-account.ts';
import { refuseCommonPassword } from './guessable-passwords.ts';
import { setPending } from './pending-cookie.ts';
import { closeResetKeys } from './reset-keys.ts';

/**
 * Creates an account that waits for its code. An unverified address has no owner yet: signing up with it again replaces
 * the password and sends a new code.
 * @throws {Failure} CAPTCHA_FAILED, EMAIL_TAKEN, TOO_MANY_ATTEMPTS.
 */
export async function signUp(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  form: { email: string; password: string; captcha_token?: string | undefined },
): Promise<void> {
  await limitSignUp(context, client, form.email);
  if (!(await context.captcha.check(form.captcha_token, 'create_account'))) throw new Failure('CAPTCHA_FAILED');
  refuseCommonPassword(context, form.password, form.email);
  const passwordHash = await hashNewPassword(form.password, client.gone);
  // One transaction: each replaced password has its new code.
  const attempt = await context.db.transaction().execute(async (tx) => {
    const id = await storeAccount({ ...context, db: tx }, form.email, passwordHash);
    if (id === undefined) throw new Failure('EMAIL_TAKEN');
    await closeResetKeys(tx, id);
    return sendNewCode({ ...context, db: tx }, { id, email: form.email }, 'sign-up');
  });
  client.concerns(attempt.accountId);
  setPending(context, cookies, { ...attempt, by: 'password' });
}

/** The insert alone decides, so two simultaneous sign-ups with one address create one account. */
async function storeAccount(
  context: Pick<Context, 'db' | 'clock' | 'secret'>,
  email: string,
  passwordHash: string,
): Promise<string | undefined> {
  const now = context.clock.now();
  const id = newRowId(now);
  const key = newApiKey();
  const row = await context.db
    .insertInto('accounts')
    .values({
      id,
      email,
      email_key: emailKey(email),
      name: email.slice(0, email.indexOf('@')),
      password_hash: passwordHash,
      level: 'free',
      key_hash: apiKeyHash(key),
      key_sealed: sealApiKey(context, id, key),
      created_at: now,
      last_active_at: now,
      verified_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('email_key')
        .where('closed_at', 'is', null)
        .doUpdateSet({ password_hash: passwordHash, email, changed_at: now })
        .where('accounts.verified_at', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
