import type { BrowserContext } from '@playwright/test';

let clients = 0;

/**
 * Makes a request look like it comes from a new browser, through the proxy that a test site trusts. The tests send far
 * more requests than a user: from a single address they would hit the rate limits, which have their own tests.
 */
export function fromNewAddress(): { readonly 'X-Forwarded-For': string } {
  clients += 1;
  return { 'X-Forwarded-For': `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` };
}

/** For tests whose pages send more calls per second than a user does. */
export async function everyCallFromNewAddress(context: BrowserContext): Promise<void> {
  await context.route('**/api/v3/**', (route) =>
    route.continue({
      headers: { ...route.request().headers(), 'x-forwarded-for': fromNewAddress()['X-Forwarded-For'] },
    }),
  );
}
