/** Actions in another tab of the same browser, which shares the session. */
import type { BrowserContext, Page } from '@playwright/test';
import { pageHeading } from './screen.ts';
import { expect, goodPassword, type Person } from './test.ts';

/** Signs in as another user in a new tab, after the shared session has ended unnoticed by the other tabs. */
export async function signInBeside(context: BrowserContext, { email }: Person): Promise<Page> {
  await context.clearCookies();
  const other = await context.newPage();
  await other.goto('/sign-in');
  await other.getByLabel('Email', { exact: true }).fill(email);
  await other.getByLabel('Password', { exact: true }).fill(goodPassword);
  await other.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expect(pageHeading(other)).toHaveText('Upload Files');
  return other;
}

/** The message that a tab sends to the others after a sign-in or sign-out. */
export const tellOfAnotherSession = (page: Page): Promise<void> =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin to name
  page.evaluate(() => new BroadcastChannel('holdfast-session').postMessage({}));

/**
 * From now on presses the focused element when the page is about to read the account: the last moment before it shows
 * it, because the page renders an account in the same task in which it reads it.
 */
export async function pressWhenAccountComes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const press = () => {
      const pressed = document.activeElement;
      if (pressed instanceof HTMLInputElement && pressed.type !== 'checkbox') pressed.form?.requestSubmit();
      else if (pressed instanceof HTMLElement) pressed.click();
    };
    const fetch = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (!answer.url.endsWith('/get-account-info')) return answer;
      const read = answer.text.bind(answer);
      answer.text = async () => {
        const text = await read();
        press();
        return text;
      };
      return answer;
    };
  });
}
