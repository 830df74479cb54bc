import { expect, test } from 'vitest';
import { isCurrent, isSettingsChild } from './sidebar-nav.ts';

test("'Upload Files' is also current on settings and analytics", () => {
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/settings', '/dashboard/analytics']) {
    expect(isCurrent('/dashboard', path)).toBe(true);
  }
  expect(isCurrent('/dashboard', '/dashboard/file-management')).toBe(false);
});

test('every other entry is current only on its own page', () => {
  expect(isCurrent('/dashboard/plan-info', '/dashboard/plan-info')).toBe(true);
  expect(isCurrent('/dashboard/plan-info', '/dashboard/plan-info-more')).toBe(false);
});

test('isSettingsChild recognizes the pages of the settings group', () => {
  expect(isSettingsChild('/dashboard/change-api')).toBe(true);
  expect(isSettingsChild('/dashboard/settings')).toBe(false);
});
