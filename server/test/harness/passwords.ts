import { goodPassword } from './accounts.ts';
import { openBrowser } from './browser.ts';
import type { TestServer } from './start-server.ts';

export const newPassword = 'Another-Horse-8';

/** Returns whether these credentials open the account. */
export async function canSignIn(server: TestServer, email: string, password = goodPassword): Promise<boolean> {
  try {
    await openBrowser(server).client.login({ body: { email, password } });
    return true;
  } catch {
    return false;
  }
}

/** Returns the key in the newest link emailed to an address. */
export async function newestResetKey(server: TestServer, email: string): Promise<string> {
  const { hash } = new URL(await server.mail.newestSecretFor(email));
  return new URLSearchParams(hash.slice(1)).get('key') ?? '';
}

export const resetForm = (reset_key: string, password = newPassword) => ({
  body: { reset_key, password, password2: password },
});
