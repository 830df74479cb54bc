import { createClient, type Client } from '@holdfast/contract/src/client.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { rememberBrowser } from '../../src/accounts/sealed-cookies.ts';
import { giveSessionCookie } from '../../src/accounts/sessions.ts';
import { openCookieJar } from '../../src/http/cookies.ts';
import { newAccountRows } from '@holdfast/test-support/account-rows.ts';
import { type Browser, openBrowser } from './browser.ts';
import type { Context } from '../../src/context.ts';
import type { Mailboxes } from './captured-mail.ts';

export const goodPassword = 'Correct-Horse-7';

export interface SignedIn {
  readonly email: string;
  readonly apiKey: string;
  readonly browser: Browser;
  readonly byKey: Client;
}

/** The parts of a `TestServer` that a new account needs. */
interface Server {
  readonly url: string;
  readonly mail: Pick<Mailboxes, 'newestSecretFor'>;
  readonly context: Pick<Context, 'db' | 'clock' | 'secret' | 'config' | 'passwordCost'>;
}

/** Over plain HTTP the port is part of a cookie's name. */
export const cookieName = (server: { readonly port: number }, name: 'session' | 'pending' | 'known'): string =>
  `holdfast-${name}-${server.port}`;

interface AccountOptions {
  readonly plan?: PlanLevel;
  readonly email?: string;
}

let people = 0;
export const newEmail = (): string => `person${(people += 1)}@example.com`;

/**
 * A new account that is signed in, written straight into the database. `signUpByCalls` makes the same one over the API.
 */
export async function signUpAndIn(server: Server, options: AccountOptions = {}): Promise<SignedIn> {
  const { plan = 'free', email = newEmail() } = options;
  const { context } = server;
  const rows = await newAccountRows({
    email,
    password: goodPassword,
    plan,
    now: context.clock.now(),
    secret: context.secret,
    passwordCost: context.passwordCost,
  });
  await context.db.insertInto('accounts').values(rows.account).execute();
  await context.db.insertInto('sessions').values(rows.session).execute();
  const browser = openBrowser(server);
  const cookies = openCookieJar(undefined, context.config.origins.app, browser.keep);
  giveSessionCookie(cookies, rows.sessionToken);
  rememberBrowser(context, cookies, { id: rows.account.id, password_version: 0 });
  return {
    email,
    apiKey: rows.apiKey,
    browser,
    byKey: createClient(fetch, { origin: server.url, apiKey: rows.apiKey }),
  };
}

/** Signs up, verifies and signs in over the API, as a person would. */
export async function signUpByCalls(server: Server, options: AccountOptions = {}): Promise<SignedIn> {
  const { plan = 'free', email = newEmail() } = options;
  const browser = openBrowser(server);
  await browser.client.createAccount({ body: { email, password: goodPassword, password2: goodPassword } });
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
  await browser.client.login({ body: { email, password: goodPassword } });
  // As the operator's command does it.
  const granted = { level: plan, granted_level: plan };
  await server.context.db.updateTable('accounts').set(granted).where('email', '=', email).execute();
  const { account } = await browser.client.getAccountInfo();
  const apiKey = account.info.api_key;
  return { email, apiKey, browser, byKey: createClient(fetch, { origin: server.url, apiKey }) };
}
