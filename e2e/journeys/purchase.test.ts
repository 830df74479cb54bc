import { pageHeading, toast } from '../harness/screen.ts';
import { currentPlan, planCard, pressButton, test } from '../harness/shop.ts';
import { expect, signUpAndIn } from '../harness/test.ts';

test('a plan is bought, switched and canceled, and Plan Info shows the changes', async ({ page, context, shop }) => {
  const { site } = shop;
  await signUpAndIn(site, context);
  await page.goto(`${site.url}/plan-pricing`);
  await page.getByRole('radio', { name: 'Yearly' }).check();
  await planCard(page, 'Basic').getByRole('link', { name: 'Unlock This Plan' }).click();
  await expect(pageHeading(page)).toHaveText('Checkout');
  await expect(page.getByText('price_basic_yearly')).toBeVisible();
  await pressButton(page, 'Pay with a bad card');
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await pressButton(page, 'Pay and subscribe');

  await expect(pageHeading(page)).toHaveText('Plan Info');
  await expect(toast(page, 'Thank you! You are on Basic now.')).toBeVisible();
  await expect(currentPlan(page)).toContainText('Basic');
  await expect(currentPlan(page)).toContainText('$29.99 a year. Renews on');
  await expect(page.getByText('2 GB').or(page.getByText('2.00 GB')).first()).toBeVisible();

  await currentPlan(page).getByRole('link', { name: 'Manage Plan' }).click();
  await expect(pageHeading(page)).toHaveText('Billing');
  await pressButton(page, 'Switch to price_power_monthly');
  await pressButton(page, 'Cancel plan');
  await pressButton(page, 'Return');
  await expect(currentPlan(page)).toContainText('$9.99 a month. Ends on');

  await page.goto(`${site.url}/plan-pricing`);
  await expect(planCard(page, 'Power')).toContainText('Current plan');
  await planCard(page, 'Basic').getByRole('link', { name: 'Switch to Basic' }).click();
  await expect(pageHeading(page)).toHaveText('Billing');
  await pressButton(page, 'End now');
  await pressButton(page, 'Return');
  await expect(currentPlan(page)).toContainText('Free');
});
