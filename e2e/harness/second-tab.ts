/** Actions in another tab of the same browser, which shares the session. */
import type { Page } from '@playwright/test';

/** The message that a tab sends to the others after a sign-in or sign-out. */
export const tellOfAnotherSession = (page: Page): Promise<void> =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin to name
  page.evaluate(() => new BroadcastChannel('holdfast-session').postMessage({}));

/** The message that a tab sends to the others after it has changed what a call returns. */
export const tellOfChange = (page: Page, call: string): Promise<void> =>
  page.evaluate(
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin to name
    (key) => new BroadcastChannel('holdfast-session').postMessage({ changed: [[key]] }),
    call,
  );
