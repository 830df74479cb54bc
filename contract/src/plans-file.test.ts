import { expect, test } from 'vitest';
import { changePlans, planLevels, standardPlans, unlimited, unlimitedMbps } from './plans.ts';
import { readPlanChanges } from './plans-file.ts';

const read = (file: unknown) => changePlans(readPlanChanges(JSON.stringify(file)));

test('House has no limits, costs nothing, and is the best plan', () => {
  const { house } = standardPlans;
  expect(house).toMatchObject({ maxFileSize: unlimited, spaceQuota: unlimited, slotsQuota: unlimited });
  expect(house).toMatchObject({ maxDownloadMbps: unlimitedMbps, allowedExtensions: null, monthlyCents: 0 });
  expect(planLevels.at(-1)).toBe('house');
});

test('every member of a plan can be changed, and the others stay', () => {
  const starter = {
    name: 'Guest',
    monthly_price: 150,
    yearly_price: 1_500,
    max_file_size: '2.5 GB',
    space_quota: 10_000_000_000,
    slots_quota: 7,
    max_file_download_speed: 50,
    allowed_extensions: ['jar', 'mrpack'],
  };
  expect(read({ starter })).toEqual({
    ...standardPlans,
    starter: {
      ...standardPlans.starter,
      name: 'Guest',
      monthlyCents: 150,
      yearlyCents: 1_500,
      maxFileSize: 2_500_000_000,
      spaceQuota: 10_000_000_000,
      slotsQuota: 7,
      maxDownloadMbps: 50,
      allowedExtensions: new Set(['jar', 'mrpack']),
    },
  });
});

test('each limit of any plan can be lifted, and each one of House can be set', () => {
  const open = { max_file_size: 'unlimited', space_quota: 'unlimited', slots_quota: 'unlimited' };
  const free = { ...open, max_file_download_speed: 'unlimited', allowed_extensions: 'any' };
  const { free: lifted, house } = read({ free, house: { space_quota: '1 TB' } });
  expect(lifted).toMatchObject({ maxFileSize: unlimited, spaceQuota: unlimited, slotsQuota: unlimited });
  expect(lifted).toMatchObject({ maxDownloadMbps: unlimitedMbps, allowedExtensions: null });
  expect(house).toMatchObject({ spaceQuota: 1e12, slotsQuota: unlimited });
});

test('a file that begins with a byte order mark is read', () => {
  expect(readPlanChanges('\uFEFF{ "free": { "slots_quota": 7 } }')).toEqual({ free: { slotsQuota: 7 } });
});

const sizes = 'must be a whole number of bytes from 1, a size such as "2.5 GB", or "unlimited"';
test.each([
  ['[]', 'the file must be an object'],
  ['{ "gold": {} }', "the file does not know 'gold'"],
  ['{ "free": { "max_files": 1 } }', "free does not know 'max_files'"],
  ['{ "free": { "monthly_price": 99 } }', "free does not know 'monthly_price'"],
  ['{ "free": { "space_quota": 0 } }', `free.space_quota ${sizes}`],
  ['{ "free": { "space_quota": 9007199254740993 } }', `free.space_quota ${sizes}`],
  ['{ "free": { "space_quota": "99999 PB" } }', `free.space_quota ${sizes}`],
  ['{ "free": { "space_quota": "2 GiB" } }', `free.space_quota ${sizes}`],
  ['{ "free": { "slots_quota": "3" } }', 'free.slots_quota must be a whole number from 1, or "unlimited"'],
  [
    '{ "free": { "max_file_download_speed": 1000 } }',
    'free.max_file_download_speed must be a whole number of Mbps from 1 to 999, or "unlimited"',
  ],
  [
    '{ "basic": { "monthly_price": 2.99 } }',
    'basic.monthly_price must be a whole number of US cents from 50 to 99,999,999',
  ],
  ['{ "free": { "slots_quota": 1 }, "basic": {}, "fr\\u0065e": {} }', 'free is there twice'],
  ['{ "basic": { "name": "a" }, "free": { "name": "{x\\"", "name" : "b" } }', 'free.name is there twice'],
  ['{ "basic": { "name": "<b>" } }', 'basic.name must have 1 to 24 letters, digits and spaces'],
  ['{ "basic": { "name": "Free" } }', 'basic.name must differ from that of free'],
  ['{ "free": { "name": "HOUSE" } }', 'house.name must differ from that of free'],
  ['{ "free": { "name": "For  All" }, "power": { "name": "For all" } }', 'power.name must differ from that of free'],
  [
    '{ "free": { "allowed_extensions": [".Jar"] } }',
    'free.allowed_extensions must be "any", or a list of 1 to 1,000 extensions in lower case and without dots',
  ],
])('%s is refused with what is wrong', (file, message) => {
  expect(() => readPlanChanges(file)).toThrow(message);
});
