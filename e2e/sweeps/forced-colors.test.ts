/** Forced colors replace every background, so nothing may be conveyed by a background alone. */
import type { Locator } from '@playwright/test';
import { expect, test } from '../harness/test.ts';

test.use({ contextOptions: { forcedColors: 'active' } });

const styleOf = (place: Locator, name: string) =>
  place.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

test('the chosen option of a group is visible', async ({ page }) => {
  await page.goto('/plan-pricing');
  const option = (name: string) => page.locator('label', { hasText: name });
  await expect(option('Monthly')).toBeVisible();
  for (const [chosen, other] of [
    ['Monthly', 'Yearly'],
    ['System', 'Dark'],
  ] as const)
    // Compares the color, not the background: the computed background values differ even though forced colors paint
    // over both.
    expect(await styleOf(option(chosen), 'color')).not.toBe(await styleOf(option(other), 'color'));
});

test('the state of a switch is visible', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/general');
  const on = page.getByRole('switch', { name: 'Include Extensions' });
  const off = page.getByRole('switch', { name: 'Continuous Uploading' });
  await expect(on).toBeChecked();
  await expect(off).not.toBeChecked();
  expect(await styleOf(on, 'background-color')).not.toBe(await styleOf(off, 'background-color'));
  for (const each of [on, off]) expect(await styleOf(each, 'outline-style')).toBe('solid');
  const track = page.getByRole('slider').first().locator('xpath=../preceding-sibling::*[1]');
  expect(await styleOf(track, 'outline-style')).toBe('solid');
});
