import { createClient, type Client } from '@holdfast/contract/src/client.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { type Browser, openBrowser } from './browser.ts';
import type { TestServer } from './start-server.ts';

export const goodPassword = 'Correct-Horse-7';

export interface SignedIn {
  readonly email: string;
  readonly apiKey: string;
  readonly browser: Browser;
  /** Calls with the key. */
  readonly byKey: Client;
}

/** Over plain http the port is part of a cookie's name. */
export const cookieName = (server: TestServer, name: 'session' | 'pending' | 'known'): string =>
  `holdfast-${name}-${server.port}`;

let people = 0;
export const newEmail = (): string => `person${(people += 1)}@example.com`;

/** Signs up, verifies and signs in over the API, as a person would. */
export async function signUpAndIn(
  server: TestServer,
  { plan = 'free', email = newEmail() }: { plan?: PlanLevel; email?: string } = {},
): Promise<SignedIn> {
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
