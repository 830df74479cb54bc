/** Shared by the tests of purchases: a site that sells plans, and locators. */
import { paymentEventsPath } from '@holdfast/contract/src/plans.ts';
import type { Locator, Page } from '@playwright/test';
import { startStripe, type StripeStandIn } from '@holdfast/test-support/stand-ins/stripe.ts';
import { type Site, startSite } from './site.ts';
import { test as base } from './test.ts';

interface Shop {
  readonly site: Site;
  readonly stripe: StripeStandIn;
}

/** `shop` is a site that sells plans, and a payment provider with its payment pages. */
export const test = base.extend<object, { shop: Shop }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
    async ({}, use) => {
      await using stripe = await startStripe();
      await using site = await startSite(stripe.environment);
      stripe.deliverTo(site.url + paymentEventsPath);
      await use({ site, stripe });
    },
    { scope: 'worker' },
  ],
});

export const planCard = (page: Page, plan: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: plan, exact: true }) });
export const currentPlan = (page: Page): Locator => page.getByRole('region', { name: 'Current plan' });
export const pressButton = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
