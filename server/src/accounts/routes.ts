import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import type { Caller } from './identify.ts';
import { accountInfo } from './info.ts';
import { endSession } from './sessions.ts';
import { settingsOf, settingsOptions } from './settings.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { resendCode, verifyEmail } from './verify-email.ts';

export function accountRoutes(serve: Serve<Caller>, context: Context): void {
  serve('getAccountInfo', async ({ caller }) => ({ account: accountInfo(context, caller.account) }));

  serve('getAccountSettings', async ({ caller }) => ({
    account: { settings: settingsOf(context, caller.account) },
    ...(caller.by === 'session' && { settings_options: settingsOptions(context) }),
  }));

  serve('login', async ({ body, cookies }) => {
    await signIn(context, cookies, body);
    return {};
  });

  serve('createAccount', async ({ body, cookies }) => {
    await signUp(context, cookies, body);
    return {};
  });

  serve('verifyEmail', async ({ body, cookies }) =>
    'resend_code_to' in body ? resendCode(context, cookies, body.resend_code_to) : verifyEmail(context, cookies, body),
  );

  serve('logout', async ({ cookies }) => {
    await endSession(context, cookies);
    return {};
  });

  serve('serverInfo', async () => ({ region: context.config.region }));

  serve('captchaChallenge', async ({ query }) => ({ captcha: await context.captcha.challenge(query.action) }));
}
