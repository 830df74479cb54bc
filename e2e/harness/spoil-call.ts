import type { Page, Route } from '@playwright/test';

/**
 * Answers a call in place of the server, the next `count` times or until `mend` is called. The route itself stays: when
 * the last one is removed, by `page.unroute` or the option `times`, the browser never answers the requests that are
 * pending at that moment, whatever they ask for (microsoft/playwright#41802).
 */
export async function spoilCall(
  page: Page,
  call: string,
  answer: (route: Route) => Promise<void>,
  count = Infinity,
): Promise<{ mend(): void }> {
  let left = count;
  await page.route(call, (route) => {
    left -= 1;
    return left >= 0 ? answer(route) : route.continue();
  });
  return { mend: () => void (left = 0) };
}
