import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import type { Caller } from './identify.ts';
import { changeApiKey } from './api-key.ts';
import { changePassword } from './change-password.ts';
import { confirmPassword, requireConfirmedPassword } from './confirm-password.ts';
import { closeAccount } from './close-account.ts';
import { changeFirstSteps, firstStepsOf } from './first-steps.ts';
import { accountInfoOf } from './info.ts';
import { changeAccount, changeAs, lockCaller } from './lock-caller.ts';
import { requestPasswordReset, resetPassword } from './reset-password.ts';
import { clearSessionCookie, endSession, endSessions, listSessions } from './sessions.ts';
import { changeSetting, settingsOf, settingsOptionsOf } from './settings.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { setTimezone } from './timezone.ts';
import { resendCode, verifyEmail } from './verify-email.ts';

export function accountRoutes(serve: Serve<Caller>, context: Context, emptyAccounts: () => void): void {
  serve('getAccountInfo', async ({ caller }) => ({ account: await accountInfoOf(context, caller) }));

  serve('getAccountSettings', async ({ caller }) => ({
    account: { settings: settingsOf(context, caller.account) },
    ...(caller.by === 'session' && { settings_options: settingsOptionsOf(context) }),
  }));

  serve('setAccountSettings', async ({ caller, body }) => {
    await changeSetting(context, caller, body);
    return {};
  });

  serve('setTimezone', async ({ caller, body }) => setTimezone(context, caller, body));

  serve('changePassword', async ({ caller, cookies, client, body }) => {
    await changePassword(context, caller, cookies, client, body);
    return { message: 'Password updated successfully' };
  });

  serve('confirmPassword', async ({ caller, cookies, client, body }) => {
    await confirmPassword(context, caller, cookies, client, body.password);
    return {};
  });

  serve('changeApiKey', async ({ caller }) => {
    requireConfirmedPassword(context, caller);
    return { account_info: { new_api_key: await changeApiKey(context, caller) } };
  });

  serve('setKeyInForm', async ({ caller, body }) => {
    await changeAccount(context, caller, { key_in_form: body.allowed ? 1 : 0 });
    return {};
  });

  serve('login', async ({ body, cookies, client }) => {
    await signIn(context, cookies, client, body);
    return {};
  });

  serve('createAccount', async ({ body, cookies, client }) => {
    return (await signUp(context, cookies, client, body)) ? { signed_in: true } : {};
  });

  serve('verifyEmail', async ({ body, cookies, client }) =>
    'resend_code_to' in body
      ? resendCode(context, cookies, client, body.resend_code_to)
      : verifyEmail(context, cookies, client, body.code),
  );

  serve('requestPasswordReset', async ({ body, client }) => {
    await requestPasswordReset(context, client, body);
    return {};
  });

  serve('resetPassword', async ({ body, cookies, client }) => {
    await resetPassword(context, cookies, client, body);
    return {};
  });

  serve('logout', async ({ cookies }) => {
    await endSession(context, cookies);
    return {};
  });

  serve('deleteAccount', async ({ caller, cookies }) => {
    requireConfirmedPassword(context, caller);
    await closeAccount(context, caller.account, (tx) => lockCaller(tx, caller, context.clock.now()));
    emptyAccounts();
    clearSessionCookie(cookies);
    return { account_info: { email: caller.account.email } };
  });

  serve('getSessions', async ({ caller, client }) => ({ sessions: await listSessions(context, caller, client) }));

  serve('endSessions', async ({ caller, body, cookies }) => {
    requireConfirmedPassword(context, caller);
    const ended = await changeAs(context, caller, (tx) => endSessions(tx, caller, body));
    if ('session' in body && body.session === caller.sessionId) clearSessionCookie(cookies);
    return { ended };
  });

  serve('getFirstSteps', async ({ caller }) => ({ first_steps: await firstStepsOf(context, caller) }));

  serve('changeFirstSteps', async ({ caller, body }) => changeFirstSteps(context, caller, body));

  serve('serverInfo', async () => ({ region: context.config.region ?? 'Local' }));

  serve('captchaChallenge', async ({ query }) => ({ captcha: await context.captcha.challenge(query.action) }));
}
