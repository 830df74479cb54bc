import { expect, test } from 'vitest';
import { matchOptions } from './match-options.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Argentina/Buenos_Aires'];

test.each([
  ['', zones],
  ['berlin', ['Europe/Berlin']],
  ['new york', ['America/New_York']],
  ['NEW_YORK', ['America/New_York']],
  ['aires america', ['America/Argentina/Buenos_Aires']],
  ['  ', zones],
  ['atlantis', []],
])("'%s' matches %j", (typed, found) => {
  expect(matchOptions(zones, typed)).toEqual(found);
});
