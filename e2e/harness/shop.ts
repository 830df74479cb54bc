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
export const test = base.extend<{ shop: Shop }>({
  shop: async ({ keeper }, use) => use(await keeper.run('shop', startShop)),
});

async function startShop(own: AsyncDisposableStack): Promise<Shop> {
  const stripe = own.use(await startStripe());
  const site = own.use(await startSite(stripe.environment));
  stripe.deliverTo(site.url + paymentEventsPath);
  return { site, stripe };
}

export const planCard = (page: Page, plan: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: plan, exact: true }) });
export const currentPlan = (page: Page): Locator => page.getByRole('region', { name: 'Current plan' });
export const pressButton = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
