/**
 * Rate limits on authentication attempts and on the emails that they send (docs/api.md has the table). Known and unknown
 * emails are counted in the same way, so they get the same responses.
 */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { resendWaitSeconds } from '@holdfast/contract/src/limits.ts';
import type { Context } from '../context.ts';
import type { Limit } from '../storage/counters/counters.ts';
import { clientKey, networkKey } from '../http/client-address.ts';
import type { ClientFacts } from '../http/serve.ts';
import { days, hours, minutes, seconds } from '../lib/clock.ts';
import { emailKey } from './find-account.ts';
import { mailboxOf } from './mailbox.ts';

export type LimitedClient = Pick<ClientFacts, 'address'>;
type Counting = Pick<Context, 'counters'>;

/** Call after a successful attempt: successful attempts do not count. */
export type Forgive = () => Promise<void>;

const limits = {
  'sign-in by address': { capacity: 30, everyMs: seconds(30) },
  'sign-in by network': { capacity: 120, everyMs: seconds(10) },
  'sign-in by email': { capacity: 10, everyMs: minutes(3) },
  'sign-in by known browsers': { capacity: 10, everyMs: minutes(3) },
  'sign-up by address': { capacity: 10, everyMs: minutes(6) },
  'sign-up by address and mailbox': { capacity: 3, everyMs: minutes(30) },
  'sign-up by mailbox': { capacity: 5, everyMs: minutes(288) },
  'verify by address': { capacity: 30, everyMs: seconds(30) },
  'resend by address': { capacity: 20, everyMs: minutes(3) },
  'resend by mailbox': { capacity: 1, everyMs: seconds(resendWaitSeconds) },
  'resend by mailbox in a day': { capacity: 4, everyMs: hours(6) },
  'reset by address': { capacity: 20, everyMs: minutes(3) },
  // Together at most 5 in an hour and 20 in a day.
  'reset by mailbox': { capacity: 5, everyMs: hours(1) },
  'reset by mailbox in a day': { capacity: 10, everyMs: minutes(144) },
  // The person may never have been here: somebody else may have signed up with the address.
  'reset by mailbox before verification': { capacity: 1, everyMs: hours(12) },
  'old passwords by address': { capacity: 30, everyMs: seconds(30) },
  'old passwords by account': { capacity: 10, everyMs: minutes(3) },
  'password changes by account': { capacity: 10, everyMs: minutes(144) },
  'key changes by account': { capacity: 5, everyMs: days(1) },
  'key emails by account': { capacity: 1, everyMs: minutes(10) },
  'new browser emails by mailbox': { capacity: 5, everyMs: minutes(288) },
} as const satisfies Record<string, Limit>;

/** @throws {Failure} TOO_MANY_ATTEMPTS, here and below. */
export async function limitSignInsFrom(context: Counting, client: LimitedClient): Promise<Forgive> {
  const network = networkKey(client.address);
  const forgiveAddress = await spend(context, 'sign-in by address', clientKey(client.address));
  if (network === undefined) return forgiveAddress;
  const forgiveNetwork = await spend(context, 'sign-in by network', network);
  return async () => void (await Promise.all([forgiveAddress(), forgiveNetwork()]));
}

export interface GuessedPassword {
  /**
   * Version of the account's password; 0 without an account. Each version has new limits: a reset lets its owner in,
   * however many guesses others have made before.
   */
  readonly version: number;
  /** The known browsers of an account share a limit, separate from that of all others. */
  readonly isKnown: boolean;
}

export async function limitSignInsTo(
  context: Counting,
  email: string,
  { version, isKnown }: GuessedPassword,
): Promise<Forgive> {
  return spend(context, isKnown ? 'sign-in by known browsers' : 'sign-in by email', `${emailKey(email)} ${version}`);
}

/** The second limit is below the third, so that one client cannot use up the sign-ups of a mailbox. */
export async function limitSignUp(context: Counting, client: LimitedClient, email: string): Promise<void> {
  const address = clientKey(client.address);
  await spend(context, 'sign-up by address', address);
  await spend(context, 'sign-up by address and mailbox', `${address} ${mailboxOf(email)}`);
  await spend(context, 'sign-up by mailbox', mailboxOf(email), tooManyCodes);
}

export async function limitVerify(context: Counting, client: LimitedClient): Promise<Forgive> {
  return spend(context, 'verify by address', clientKey(client.address));
}

export async function limitResendsFrom(context: Counting, client: LimitedClient): Promise<void> {
  await spend(context, 'resend by address', clientKey(client.address));
}

export async function limitResendsTo(context: Counting, email: string): Promise<Forgive> {
  const wait = (retryAfter: number) => `Wait ${retryAfter} seconds before asking for another code.`;
  const forgive = await spend(context, 'resend by mailbox', mailboxOf(email), wait);
  const forgiveInDay = await spend(context, 'resend by mailbox in a day', mailboxOf(email), tooManyCodes);
  return async () => void (await Promise.all([forgive(), forgiveInDay()]));
}

export async function limitResetsFrom(context: Counting, client: LimitedClient): Promise<void> {
  await spend(context, 'reset by address', clientKey(client.address));
}

/** Returns whether a reset link may be sent to this email; `isWaiting` if its account is not verified yet. */
export async function mayEmailLink(context: Counting, email: string, isWaiting: boolean): Promise<boolean> {
  const inDay = isWaiting ? 'reset by mailbox before verification' : 'reset by mailbox in a day';
  const taken = [
    await take(context, 'reset by mailbox', mailboxOf(email)),
    await take(context, inDay, mailboxOf(email)),
  ];
  return taken.every(({ allowed }) => allowed);
}

/** Makes a change that its owner is told of if `isTold`, in the same transaction. */
type Announced<T> = (isTold: boolean) => Promise<T>;

/** Makes a key change. One email announces several in a row. */
export function announceKeyChange<T>(context: Counting, accountId: string, change: Announced<T>): Promise<T> {
  return announce(context, 'key emails by account', accountId, change);
}

export function announceNewBrowser<T>(context: Counting, email: string, change: Announced<T>): Promise<T> {
  return announce(context, 'new browser emails by mailbox', mailboxOf(email), change);
}

async function announce<T>(context: Counting, name: LimitName, whose: string, change: Announced<T>): Promise<T> {
  const { allowed } = await take(context, name, whose);
  try {
    return await change(allowed);
  } catch (error) {
    // Otherwise nobody would be told of the next try. The counters may be away too.
    if (allowed) await context.counters.giveBack(keyOf(name, whose), limits[name]).catch(() => {});
    throw error;
  }
}

export async function limitKeyChanges(context: Counting, accountId: string): Promise<void> {
  await spend(context, 'key changes by account', accountId, () => 'Too many new keys. Try again tomorrow.');
}

/** Limits successful changes, because each of them sends an email. */
export async function limitPasswordChanges(context: Counting, accountId: string): Promise<void> {
  await spend(context, 'password changes by account', accountId);
}

/** Each version of a password has new limits, so that a reset ends the wait that a stranger's guesses caused. */
export async function limitOldPasswords(
  context: Counting,
  client: LimitedClient,
  { id, password_version }: { readonly id: string; readonly password_version: number },
): Promise<Forgive> {
  const forgiveAddress = await spend(context, 'old passwords by address', clientKey(client.address));
  const forgiveAccount = await spend(context, 'old passwords by account', `${id} ${password_version}`);
  return async () => void (await Promise.all([forgiveAddress(), forgiveAccount()]));
}

const tooManyCodes = () => 'Too many codes were sent to this address today. Try again tomorrow.';

type LimitName = keyof typeof limits;

async function spend(
  context: Counting,
  name: LimitName,
  whose: string,
  message?: (retryAfterSeconds: number) => string,
): Promise<Forgive> {
  const { allowed, retryAfterSeconds } = await take(context, name, whose);
  if (!allowed) throw new Failure('TOO_MANY_ATTEMPTS', message?.(retryAfterSeconds), { retryAfterSeconds });
  return () => context.counters.giveBack(keyOf(name, whose), limits[name]);
}

const take = ({ counters }: Counting, name: LimitName, whose: string) =>
  counters.take(keyOf(name, whose), limits[name]);

const keyOf = (name: LimitName, whose: string) => `${name}: ${whose}`;
