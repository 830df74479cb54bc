import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import * as fc from 'fast-check';
import { days, hours } from '../../src/lib/clock.ts';

/** `file` and `files` are positions in the account's list, modulo its length; -1 is the last. */
export type Change = { readonly account: 0 | 1 } & (
  | { readonly does: 'delete'; readonly files: readonly number[]; readonly ofOther: boolean }
  /** Positions in the account's list of deleted files. */
  | { readonly does: 'bring back'; readonly files: readonly number[]; readonly ofOther: boolean }
  | { readonly does: 'favor'; readonly file: number }
  | { readonly does: 'continue'; readonly on: boolean }
  | { readonly does: 'keep for'; readonly days: number }
  | { readonly does: 'change plan'; readonly level: PlanLevel }
  | { readonly does: 'change key' }
  | { readonly does: 'name with'; readonly length: number }
  /** 0 is the newest. */
  | { readonly does: 'take down'; readonly file: number }
  /** Other files use all slots of any plan, or most of them as in the beginning. */
  | { readonly does: 'crowd'; readonly full: boolean }
  | { readonly does: 'restore'; readonly bytes: number; readonly overQuota: boolean }
  /** Without the grace period of a day. */
  | { readonly does: 'purge' }
);

export type Upload = {
  readonly account: 0 | 1;
  readonly does: 'upload';
  readonly size: number;
  readonly letter: string;
  readonly extension: string;
  /** A change made once its bytes are stored and it is about to commit. */
  readonly meanwhile: Change | null;
};

export type Command =
  | Change
  | Upload
  | ({ readonly account: 0 | 1 } & (
      | { readonly does: 'access'; readonly file: number; readonly counted: boolean; readonly how: Access }
      | { readonly does: 'wait'; readonly times: readonly number[] }
      /** No process runs during this time; then one starts, and the jobs run. */
      | { readonly does: 'be off'; readonly time: number }
      /** Outcome of each email from then on. */
      | { readonly does: 'mail'; readonly says: 'yes' | 'nothing' | 'no' }
      /**
       * After a backup `since` happens; then everything is lost except the backup and, if `listed`, a newer list of
       * what was blocked.
       */
      | { readonly does: 'lose everything'; readonly since: readonly (Change | Upload)[]; readonly listed: boolean }
    ));

export type Access = 'whole' | 'later range' | 'unchanged' | 'head' | 'digest' | 'no such range';

/** The jobs run after each of the times. */
const waits = [
  [hours(1)],
  [days(1)],
  [days(1) - 1],
  [days(7)],
  [days(23)],
  [days(30)],
  [days(90)],
  [days(366)],
  // Just long enough for two warnings and the loss of all files, and a day less.
  [days(336), days(23), days(7)],
  [days(336), days(23), days(6)],
];

/** Initial settings of an account. */
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

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      account,
      does: fc.constant('delete' as const),
      files: fc.array(file, { minLength: 1, maxLength: 3 }),
      ofOther: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      account,
      does: fc.constant('bring back' as const),
      files: fc.array(file, { minLength: 1, maxLength: 3 }),
      ofOther: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ account, does: fc.constant('favor' as const), file }) },
  { weight: 2, arbitrary: fc.record({ account, does: fc.constant('continue' as const), on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ account, does: fc.constant('keep for' as const), days: autoDeleteDays }) },
  { weight: 2, arbitrary: fc.record({ account, does: fc.constant('change plan' as const), level }) },
  { weight: 2, arbitrary: fc.record({ account, does: fc.constant('change key' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ account, does: fc.constant('name with' as const), length: fc.constantFrom(8, 12, 32) }),
  },
  { weight: 2, arbitrary: fc.record({ account, does: fc.constant('take down' as const), file }) },
  {
    weight: 2,
    arbitrary: fc.record({
      account,
      does: fc.constant('restore' as const),
      bytes: fc.nat(3),
      overQuota: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ account, does: fc.constant('purge' as const) }) },
  { weight: 1, arbitrary: fc.record({ account, does: fc.constant('crowd' as const), full: fc.boolean() }) },
);

const upload: fc.Arbitrary<Upload> = fc.record({
  account,
  does: fc.constant('upload' as const),
  size: fc.constantFrom(0, 1, 9, 10, 11, 25, 40, 60, 61),
  letter: fc.constantFrom('a', 'b'),
  extension: fc.constantFrom('txt', 'txt', 'txt', 'exe'),
  meanwhile: fc.oneof(fc.constant(null), change),
});

const loss = fc.record({
  account,
  does: fc.constant('lose everything' as const),
  since: fc.array(fc.oneof({ weight: 1, arbitrary: upload }, { weight: 2, arbitrary: change }), { maxLength: 8 }),
  listed: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: upload },
  { weight: 13, arbitrary: change },
  {
    weight: 4,
    arbitrary: fc.record({
      account,
      does: fc.constant('access' as const),
      file,
      counted: fc.boolean(),
      how: fc.constantFrom<Access>('whole', 'later range', 'unchanged', 'head', 'digest', 'no such range'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      account,
      does: fc.constant('be off' as const),
      time: fc.constantFrom(hours(1), hours(1) + 1, days(1), days(8), days(40), days(366)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      account,
      does: fc.constant('mail' as const),
      says: fc.constantFrom('yes' as const, 'yes' as const, 'nothing' as const, 'no' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ account, does: fc.constant('wait' as const), times: fc.constantFrom(...waits) }),
  },
  { weight: 1, arbitrary: loss },
);

const uploaded = { does: 'upload', size: 9, letter: 'c', extension: 'txt', meanwhile: null } as const;
const someChanges = fc.array(change, { maxLength: 2 });

/**
 * Two accounts have the same bytes, which are taken down and restored while one of the accounts has no space for them.
 */
const withoutQuota: fc.Arbitrary<Command[]> = fc
  .tuple(account, someChanges, someChanges)
  .map(([crowded, before, after]) => [
    { account: 0, ...uploaded },
    { account: 1, ...uploaded },
    { account: crowded, does: 'take down', file: 0 },
    { account: crowded, does: 'crowd', full: true },
    { account: crowded, does: 'restore', bytes: 0, overQuota: false },
    ...before,
    { account: crowded, does: 'purge' },
    ...after,
    { account: crowded, does: 'restore', bytes: 0, overQuota: true },
    { account: crowded, does: 'crowd', full: false },
  ]);

/** An account wants a deleted file back for which it has no space any more. */
const withoutSpace: fc.Arbitrary<Command[]> = account.map((crowded) => [
  { account: crowded, ...uploaded },
  { account: crowded, does: 'delete', files: [-1], ofOther: false },
  { account: crowded, does: 'crowd', full: true },
  { account: crowded, does: 'bring back', files: [-1], ofOther: false },
  { account: crowded, does: 'crowd', full: false },
]);

export const commands: fc.Arbitrary<Command[]> = fc
  .array(
    fc.oneof(
      { weight: 30, arbitrary: command.map((each) => [each]) },
      { weight: 1, arbitrary: withoutQuota },
      { weight: 1, arbitrary: withoutSpace },
    ),
    { minLength: 5, maxLength: 30, size: 'max' },
  )
  .map((some) => some.flat());
