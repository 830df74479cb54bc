import { askToDelete } from '../harness/delete-account-screen.ts';
import { subscribe } from '../harness/past-events.ts';
import { expect, test } from '../harness/test.ts';

test('the warning names the subscription that ends, even if it is unpaid', async ({ page, person, site }) => {
  const words = page.getByText('the Basic subscription, without a refund for the remaining time');
  subscribe(site, person, {
    level: 'Basic',
    period: 'monthly',
    status: 'past_due',
    period_ends: '2036-01-01T00:00:00Z',
    ends_with_period: false,
    grace_ends: '2026-01-01T00:00:00Z',
  });
  await askToDelete(page);
  await expect(words).toBeVisible();
  site.putOnPlan(person.email, 'free');
  await askToDelete(page);
  await expect(words).toBeVisible();
});

test('the warning names no plan for a subscription that matches none', async ({ page, person, site }) => {
  subscribe(site, person, {
    level: null,
    period: null,
    status: 'active',
    period_ends: '2036-01-01T00:00:00Z',
    ends_with_period: false,
    grace_ends: null,
  });
  await askToDelete(page);
  await expect(page.getByText('the subscription, without a refund for the remaining time')).toBeVisible();
});
