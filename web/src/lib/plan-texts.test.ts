import { changePlans, standardPlans, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import {
  freeUploads,
  namesOf,
  paidAdditions,
  paidBenefits,
  paidGifts,
  paidReasons,
  plansForAnyType,
  publicPlans,
  restrictedPlans,
  speedOfNewAccounts,
  speedsOf,
  typeRules,
} from './plan-texts.ts';

test('the standard plans have the standard texts', () => {
  expect(namesOf(publicPlans(standardPlans))).toBe('Free, Starter, Basic, Advanced and Power');
  expect(freeUploads(standardPlans.free)).toBe('Free uploads up to 500MB');
  expect(speedsOf(standardPlans)).toBe(
    '4 Mbps (500 KB/s) on Free, 20 Mbps on Starter, 100 Mbps on Basic, 250 Mbps on Advanced, unlimited on Power',
  );
  expect(restrictedPlans(standardPlans).map(({ name }) => name)).toEqual(['Free']);
  expect(plansForAnyType(standardPlans)).toBe('paid plan');
  expect(typeRules(standardPlans)).toBe(
    'The Free plan accepts a fixed list of file types. The other plans have no type restriction.',
  );
  expect(paidBenefits(standardPlans)).toBe(
    'More space, larger files, faster downloads for everyone who opens your links, higher cache priority, and no restriction of file types',
  );
  expect(paidAdditions(standardPlans)).toBe('speed, space and any file type');
  expect(paidGifts(standardPlans)).toBe('more space, faster downloads and fewer upload limits');
  expect(paidReasons(standardPlans)).toBe('faster downloads and more space');
});

test('the texts follow new names and limits', () => {
  const plans = changePlans({
    free: { name: 'Guest', spaceQuota: 2_500_000_000, maxDownloadMbps: unlimitedMbps },
    starter: { name: 'Friend', allowedExtensions: ['jar'] },
  });
  expect(namesOf(publicPlans(plans))).toBe('Guest, Friend, Basic, Advanced and Power');
  expect(freeUploads(plans.free)).toBe('Free uploads up to 2.5GB');
  expect(speedsOf(plans)).toMatch(/^unlimited on Guest, 20 Mbps on Friend, /);
  expect(restrictedPlans(plans).map(({ name }) => name)).toEqual(['Guest', 'Friend']);
  expect(plansForAnyType(plans)).toBe('Basic, Advanced and Power');
  expect(typeRules(plans)).toBe(
    'The Guest plan accepts a fixed list of file types. The Friend plan accepts a fixed list of file types. The other plans have no type restriction.',
  );
  expect(paidBenefits(plans)).toBe('More space, larger files, higher cache priority, and no restriction of file types');
  expect(paidAdditions(plans)).toBe('space and any file type');
  expect(paidGifts(plans)).toBe('more space and fewer upload limits');
  expect(paidReasons(plans)).toBe('more space');
});

test('without prices a text states the speed of new accounts', () => {
  expect(speedOfNewAccounts(standardPlans.starter)).toBe('Files of new accounts download at up to 20 Mbps (2.5 MB/s).');
  expect(speedOfNewAccounts(standardPlans.house)).toContain('no speed limit');
});
