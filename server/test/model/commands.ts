import { type PlanLevel } from '@holdfast/contract/src/plans.ts';
import * as fc from 'fast-check';
import { days, hours } from '../../src/lib/clock.ts';

/** `file` and `files` are places in the account's list, counted round and round. */
export type Command = { readonly account: 0 | 1 } & (
  | { readonly does: 'upload'; readonly size: number; readonly letter: string; readonly extension: string }
  | { readonly does: 'delete'; readonly files: readonly number[]; readonly ofOther: boolean }
  | { readonly does: 'favor'; readonly file: number }
  | { readonly does: 'access'; readonly file: number; readonly counted: boolean }
  | { readonly does: 'continue'; readonly on: boolean }
  | { readonly does: 'keep for'; readonly days: number }
  | { readonly does: 'change plan'; readonly level: PlanLevel }
  | { readonly does: 'wait'; readonly times: readonly number[] }
);

/** After each of the times the jobs run. */
const waits = [
  [hours(1)],
  [days(1)],
  [days(1) - 1],
  [days(7)],
  [days(23)],
  [days(30)],
  [days(90)],
  [days(366)],
  // As long as it takes to be warned twice and lose everything, and a day less.
  [days(335), days(23), days(7)],
  [days(335), days(23), days(6)],
];

/** How an account is set when it begins. */
export interface Beginning {
  readonly level: PlanLevel;
  readonly continuous: boolean;
  readonly autoDeleteDays: number;
}

const level = fc.constantFrom('free' as const, 'starter' as const, 'basic' as const);
const autoDeleteDays = fc.constantFrom(0, 1, 30, 90);

export const beginning: fc.Arbitrary<Beginning> = fc.record({ level, continuous: fc.boolean(), autoDeleteDays });

const account = fc.constantFrom(0 as const, 1 as const);
const file = fc.nat(9);

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      account,
      does: fc.constant('upload' as const),
      size: fc.constantFrom(0, 1, 9, 10, 11, 25, 40, 60, 61),
      letter: fc.constantFrom('a', 'b'),
      extension: fc.constantFrom('txt', 'txt', 'txt', 'exe'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      account,
      does: fc.constant('delete' as const),
      files: fc.array(file, { minLength: 1, maxLength: 3 }),
      ofOther: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ account, does: fc.constant('favor' as const), file }) },
  {
    weight: 4,
    arbitrary: fc.record({ account, does: fc.constant('access' as const), file, counted: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ account, does: fc.constant('continue' as const), on: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ account, does: fc.constant('keep for' as const), days: autoDeleteDays }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      account,
      does: fc.constant('change plan' as const),
      level,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      account,
      does: fc.constant('wait' as const),
      times: fc.constantFrom(...waits),
    }),
  },
);
