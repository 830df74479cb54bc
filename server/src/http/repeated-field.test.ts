import { expect, test } from 'vitest';
import { repeatedFieldOf } from './repeated-field.ts';

const cases: readonly [string, string, string | undefined][] = [
  ['twice', '{"a":1,"a":2}', 'a'],
  ['twice by an escape', String.raw`{"a":1,"\u0061":2}`, 'a'],
  ['twice in an object below', '{"a":[{"b":1,"c":{},"b":2}]}', 'b'],
  ['twice as a prototype key', '{"__proto__":1,"__proto__":2}', '__proto__'],
  ['once in each of two objects', '[{"a":1},{"a":2}]', undefined],
  ['once above and once below', '{"a":{"a":1}}', undefined],
  ['as a field and as a value', '{"a":"a"}', undefined],
  ['nowhere', '"a"', undefined],
  ['below 100,000 lists', `${'['.repeat(100_000)}{"a":1,"a":2}${']'.repeat(100_000)}`, 'a'],
];

test.each(cases)('a field that occurs %s', (_, json, field) => {
  expect(repeatedFieldOf(json)).toBe(field);
});
