import { type Browser, openBrowser } from './browser.ts';
import { goodPassword } from './accounts.ts';
import type { TestServer } from './start-server.ts';

export const signUpForm = (email: string, password = goodPassword) => ({
  body: { email, password, password2: password },
});

/** A browser that has signed up; the email with the code has arrived. */
export async function signUp(server: TestServer, email: string, password = goodPassword): Promise<Browser> {
  const browser = openBrowser(server);
  await browser.client.createAccount(signUpForm(email, password));
  await server.emailWorker.flush();
  return browser;
}

/** Returns a well-formed code that differs from the right one. */
export const wrongCode = (right: string): string => (right === '000000' ? '111111' : '000000');
