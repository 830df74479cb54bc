import { unlimited, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { countLimit, sizeLimit, speedLimit } from './arguments.ts';

test.each([
  [sizeLimit, '50GB', 50e9],
  [sizeLimit, '2.5 gb', 2.5e9],
  [sizeLimit, 'unlimited', unlimited],
  [countLimit, '1', 1],
  [countLimit, 'unlimited', unlimited],
  [speedLimit, '999', 999],
  [speedLimit, 'unlimited', unlimitedMbps],
  [speedLimit, 'plan', 'plan'],
] as const)('%o reads the limit %j as %j', (read, found, value) => expect(read(found)).toBe(value));

test.each([
  [sizeLimit, ['', '0', '-5GB', '5', '1e9', '10000000PB', '0GB', 'much']],
  [countLimit, ['', '0', '-1', '1.5', '99999999999999999']],
  [speedLimit, ['', '0', '1000', '4Mbps', '-4']],
] as const)('%o refuses what is no limit', (read, wrong) => {
  for (const found of wrong) expect(() => read(found), found).toThrow("'unlimited' or 'plan'");
});
