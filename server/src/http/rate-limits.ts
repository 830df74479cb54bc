import { Failure } from '@holdfast/contract/src/errors.ts';
import { resendWaitSeconds, speedTestLimits } from '@holdfast/contract/src/limits.ts';
import type { Context } from '../context.ts';
import { type Clock, days, hours, minutes, seconds } from '../lib/clock.ts';
import { createLru } from '../lib/lru.ts';
import { mailboxOf } from '../lib/mailbox.ts';
import type { Limit, Taken } from '../storage/counters/counters.ts';
import { clientKey, networkOf } from './client-address.ts';

/** Spellings of one address or mailbox count together. */
const keyOf = { address: clientKey, mailbox: mailboxOf, account: String, credential: String } as const;

interface Row extends Limit {
  readonly whose: keyof typeof keyOf;
}

const callLimits = {
  calls: { whose: 'address', capacity: 4, everyMs: 250 },
  // Sessions and keys count here until they were looked up.
  'unproven calls': { whose: 'address', capacity: 40, everyMs: 250 },
  'calls in session': { whose: 'credential', capacity: 40, everyMs: 50 },
  uploads: { whose: 'credential', capacity: 200, everyMs: 5 },
  'calls of account': { whose: 'account', capacity: 128, everyMs: 25 },
  // The limit of the payment provider is shared by all buyers.
  'plan visits': { whose: 'account', capacity: 20, everyMs: seconds(6) },
  'payment events': { whose: 'address', capacity: 120, everyMs: seconds(5) },
  'speed tests': { whose: 'address', capacity: speedTestLimits.perHour, everyMs: hours(1) / speedTestLimits.perHour },
  'missed links': { whose: 'address', capacity: 60, everyMs: 500 },
} as const satisfies Record<string, Row>;

/** For one account: how many calls run at a time, and how many may wait for their turn. */
export const atOnce = { uploads: [4, 100], changes: [1, 128], longReads: [2, 128] } as const;

/** Known and unknown emails count in the same way. */
const attemptLimits = {
  'sign-ins': { whose: 'address', capacity: 30, everyMs: seconds(30) },
  // Keyed by the version of the password, so that a reset ends the wait that a stranger's guesses caused.
  'sign-ins by email': { whose: 'account', capacity: 10, everyMs: minutes(3) },
  'sign-ins by known browsers': { whose: 'account', capacity: 10, everyMs: minutes(3) },
  'sign-ups': { whose: 'address', capacity: 10, everyMs: minutes(6) },
  // One client cannot use up the sign-ups of a mailbox.
  'sign-ups by address and mailbox': { whose: 'credential', capacity: 3, everyMs: minutes(30) },
  'sign-ups by mailbox': { whose: 'mailbox', capacity: 5, everyMs: minutes(288) },
  codes: { whose: 'address', capacity: 30, everyMs: seconds(30) },
  resends: { whose: 'address', capacity: 20, everyMs: minutes(3) },
  'resends by mailbox': { whose: 'mailbox', capacity: 1, everyMs: seconds(resendWaitSeconds) },
  'resends by mailbox in a day': { whose: 'mailbox', capacity: 4, everyMs: hours(6) },
  resets: { whose: 'address', capacity: 20, everyMs: minutes(3) },
  'resets by mailbox': { whose: 'mailbox', capacity: 5, everyMs: hours(1) },
  'resets by mailbox in a day': { whose: 'mailbox', capacity: 10, everyMs: minutes(144) },
  // Somebody else may have signed up with the address.
  'resets before verification': { whose: 'mailbox', capacity: 1, everyMs: hours(12) },
  'old passwords': { whose: 'address', capacity: 30, everyMs: seconds(30) },
  'old passwords by account': { whose: 'account', capacity: 10, everyMs: minutes(3) },
  'password changes': { whose: 'account', capacity: 10, everyMs: minutes(144) },
  'key changes': { whose: 'account', capacity: 5, everyMs: days(1) },
  'key emails': { whose: 'account', capacity: 1, everyMs: minutes(10) },
  'test emails': { whose: 'account', capacity: 5, everyMs: minutes(1) },
  'new browser emails': { whose: 'mailbox', capacity: 5, everyMs: minutes(288) },
} as const satisfies Record<string, Row>;

const tooManyCodes = () => 'Too many codes were sent to this address today. Try again tomorrow.';

const messages: Readonly<Record<string, (retryAfterSeconds: number) => string>> = {
  'sign-ups by mailbox': tooManyCodes,
  'resends by mailbox': (wait) => `Wait ${wait} seconds before asking for another code.`,
  'resends by mailbox in a day': tooManyCodes,
  'key changes': () => 'Too many new keys. Try again tomorrow.',
};

const limits: Readonly<Record<LimitName, Row>> = { ...callLimits, ...attemptLimits };

export type LimitName = keyof typeof callLimits | keyof typeof attemptLimits;

type Counting = Pick<Context, 'counters'>;

export async function take({ counters }: Counting, name: LimitName, who: string): Promise<Taken & Bucket> {
  const [own, network] = bucketsOf(name, who);
  const taken = await counters.take(own.key, own.limit);
  if (!network || !taken.allowed) return { ...taken, ...own };
  const ofNetwork = await counters.take(network.key, network.limit);
  if (ofNetwork.allowed) return { ...taken, ...own };
  await counters.giveBack(own.key, own.limit);
  return { ...ofNetwork, ...network };
}

export async function giveBack({ counters }: Counting, name: LimitName, who: string): Promise<void> {
  await Promise.all(bucketsOf(name, who).map(({ key, limit }) => counters.giveBack(key, limit)));
}

/** @throws {Failure} TOO_MANY_ATTEMPTS or RATE_LIMITED. */
export async function spend(context: Counting, name: LimitName, who: string): Promise<() => Promise<void>> {
  const { allowed, retryAfterSeconds } = await take(context, name, who);
  if (allowed) return () => giveBack(context, name, who);
  const code = name in attemptLimits ? 'TOO_MANY_ATTEMPTS' : 'RATE_LIMITED';
  throw new Failure(code, messages[name]?.(retryAfterSeconds), { retryAfterSeconds });
}

/** In the memory of this process, for a decision that cannot wait. */
export function createOwnBuckets(name: LimitName, { monotonic }: Pick<Clock, 'monotonic'>) {
  const fullAt = createLru<string, number>(100_000);
  const missing = (key: string) => Math.max(0, (fullAt.get(key) ?? 0) - monotonic());
  const waitFor = (who: string): number => {
    const waits = bucketsOf(name, who).map(({ key, limit }) => missing(key) - (limit.capacity - 1) * limit.everyMs);
    return Math.ceil(Math.max(0, ...waits) / 1000);
  };
  return {
    waitFor,
    take(who: string): number {
      const wait = waitFor(who);
      if (wait > 0) return wait;
      for (const { key, limit } of bucketsOf(name, who)) fullAt.set(key, monotonic() + missing(key) + limit.everyMs);
      return 0;
    },
  };
}

interface Bucket {
  readonly key: string;
  readonly limit: Limit;
}

/** A provider that assigns one IPv6 `/64` often assigns a whole `/48`, which may do as much as four of them. */
function bucketsOf(name: LimitName, who: string): readonly [Bucket, ...Bucket[]] {
  const limit = limits[name];
  const key = keyOf[limit.whose](who);
  const network = limit.whose === 'address' ? networkOf(key) : undefined;
  const own = { key: `${name}: ${key}`, limit };
  if (network === undefined) return [own];
  const limitOfAll = { capacity: 4 * limit.capacity, everyMs: Math.ceil(limit.everyMs / 3) };
  return [own, { key: `${name}: ${network}`, limit: limitOfAll }];
}
