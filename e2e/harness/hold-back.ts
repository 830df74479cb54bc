/** Keeps a call pending until the test has checked what the page shows in the meantime. */
import type { Page } from '@playwright/test';

export interface Held {
  /** Releases calls: first those that are held, oldest first, then that many of the next ones. */
  letGo(count?: number): void;
}

/** Holds calls before they are sent. */
export async function holdBack(page: Page, address: string): Promise<Held> {
  const gate = openGate();
  await page.route(address, async (route) => {
    await gate.pass();
    // The page may have aborted it in the meantime.
    await route.continue().catch(() => {});
  });
  return gate;
}

/** Holds the responses of calls that the server has already handled. */
export async function holdBackAnswers(page: Page, address: string): Promise<Held> {
  const gate = openGate();
  const browser = await page.context().newCDPSession(page);
  browser.on('Fetch.requestPaused', async ({ requestId }) => {
    await gate.pass();
    await browser.send('Fetch.continueRequest', { requestId }).catch(() => {});
  });
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: address, requestStage: 'Response' }] });
  return gate;
}

function openGate(): Held & { pass(): Promise<void> } {
  const waiting: (() => void)[] = [];
  let free = 0;
  return {
    async pass() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    letGo(count = 1) {
      const leaving = waiting.splice(0, count);
      free += count - leaving.length;
      for (const leave of leaving) leave();
    },
  };
}
