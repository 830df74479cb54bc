import { subscriptionProblems } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { readPaidSearch, readReturnSearch } from './return-search.ts';

test('every problem that the server names is read', () => {
  for (const problem of subscriptionProblems)
    expect(readReturnSearch({ problem })).toEqual({ checkout: undefined, problem });
});

test('Plan Info hears of payments, and Pricing of checkouts that were left', () => {
  expect(readPaidSearch({ checkout: 'paid' })).toEqual({ checkout: 'paid' });
  expect(readPaidSearch({ checkout: 'canceled' })).toEqual({ checkout: undefined });
  expect(readReturnSearch({ checkout: 'canceled' })).toEqual({ checkout: 'canceled', problem: undefined });
  expect(readReturnSearch({ checkout: 'paid' })).toEqual({ checkout: undefined, problem: undefined });
});

test.each(['kelp', 'toString', '__proto__', 7, null, ['busy']])(
  '%j is no word of ours, and hides what was said',
  (said) => {
    // Strictly: a key that is left out would be read from the address as it is.
    expect(readReturnSearch({ checkout: said, problem: said })).toStrictEqual({
      checkout: undefined,
      problem: undefined,
    });
    expect(readPaidSearch({ checkout: said })).toStrictEqual({ checkout: undefined });
  },
);
