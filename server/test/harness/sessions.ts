import { goodPassword } from './accounts.ts';
import { type Browser, openBrowser } from './browser.ts';
import type { TestServer } from './start-server.ts';

/** A signed-in browser with this User-Agent. */
export async function signInWith(server: TestServer, email: string, agent: string): Promise<Browser> {
  const browser = openBrowser(server, { 'User-Agent': agent });
  await browser.client.login({ body: { email, password: goodPassword } });
  return browser;
}

export const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:135.0) Gecko/20100101 Firefox/135.0';
export const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) Version/18.3 Mobile/15E148 Safari/604.1';

export async function sessionsOf({ client }: Browser) {
  return (await client.getSessions()).sessions;
}
