import type { BrowserContext } from '@playwright/test';

let clients = 0;

/**
 * As from a browser that nobody has seen before, behind the proxy that a site of the tests believes. The tests are
 * quicker than any person, and many: from one address they would meet the limits, which have tests of their own.
 */
export function fromNewAddress(): { readonly 'X-Forwarded-For': string } {
  clients += 1;
  return { 'X-Forwarded-For': `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` };
}

/** For a test whose pages call more in a second than a person does. */
export async function everyCallFromNewAddress(context: BrowserContext): Promise<void> {
  await context.route('**/api/v3/**', (route) =>
    route.continue({
      headers: { ...route.request().headers(), 'x-forwarded-for': fromNewAddress()['X-Forwarded-For'] },
    }),
  );
}
