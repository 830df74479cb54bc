/**
 * Rate limits on authentication attempts, by client address and by email (docs/api.md has the table). An email counts
 * before the account lookup, so known and unknown emails get the same responses.
 */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { resendWaitSeconds } from '@holdfast/contract/src/limits.ts';
import type { Context } from '../context.ts';
import type { Limit } from '../engines/counters/counters.ts';
import { clientKey } from '../http/client-address.ts';
import type { ClientFacts } from '../http/serve.ts';
import { minutes, seconds } from '../lib/clock.ts';
import { maxSendsPerDay } from './email-code.ts';
import { emailKey } from './find-account.ts';

export type LimitedClient = Pick<ClientFacts, 'address'>;
type Counting = Pick<Context, 'counters'>;

/** Call after a successful attempt: successful attempts do not count. */
export type Forgive = () => Promise<void>;

const limits = {
  'sign-in by address': { capacity: 30, everyMs: seconds(30) },
  'sign-in by email': { capacity: 10, everyMs: minutes(3) },
  'sign-in by known browser': { capacity: 10, everyMs: minutes(3) },
  'sign-up by address': { capacity: 10, everyMs: minutes(6) },
  'sign-up by address and email': { capacity: 5, everyMs: minutes(30) },
  'verify by address': { capacity: 30, everyMs: seconds(30) },
  'verify by email': { capacity: 10, everyMs: minutes(1) },
  'resend by address': { capacity: 20, everyMs: minutes(3) },
  'resend by email': { capacity: 1, everyMs: seconds(resendWaitSeconds) },
  // The first code of the day is the one of the sign-up.
  'resend by email in a day': { capacity: maxSendsPerDay - 1, everyMs: minutes(160) },
  'reset by address': { capacity: 20, everyMs: minutes(3) },
  'reset by email': { capacity: 5, everyMs: minutes(12) },
  'password change by address': { capacity: 30, everyMs: seconds(30) },
  'password change by account': { capacity: 10, everyMs: minutes(3) },
} as const satisfies Record<string, Limit>;

/** @throws {Failure} TOO_MANY_ATTEMPTS, here and below. */
export async function limitSignInsFrom(context: Counting, client: LimitedClient): Promise<Forgive> {
  return spend(context, 'sign-in by address', clientKey(client.address));
}

/** `knownBrowser` is set if this browser has signed in with this email before. It has a separate limit. */
export async function limitSignInsTo(
  context: Counting,
  email: string,
  knownBrowser: string | undefined,
): Promise<Forgive> {
  return knownBrowser === undefined
    ? spend(context, 'sign-in by email', emailKey(email))
    : spend(context, 'sign-in by known browser', knownBrowser);
}

/** The second limit keeps one client from using up the daily codes of an email. */
export async function limitSignUp(context: Counting, client: LimitedClient, email: string): Promise<void> {
  const address = clientKey(client.address);
  await spend(context, 'sign-up by address', address);
  await spend(context, 'sign-up by address and email', `${address} ${emailKey(email)}`);
}

/** `email` is set when the client sends one instead of the sign-up cookie. */
export async function limitVerify(
  context: Counting,
  client: LimitedClient,
  email: string | undefined,
): Promise<Forgive> {
  const forgive = await spend(context, 'verify by address', clientKey(client.address));
  if (email !== undefined) await spend(context, 'verify by email', emailKey(email));
  return forgive;
}

export async function limitResendsFrom(context: Counting, client: LimitedClient): Promise<void> {
  await spend(context, 'resend by address', clientKey(client.address));
}

export async function limitResendsTo(context: Counting, email: string): Promise<Forgive> {
  const wait = (retryAfter: number) => `Wait ${retryAfter} seconds before asking for another code.`;
  const forgive = await spend(context, 'resend by email', emailKey(email), wait);
  const forgiveInDay = await spend(context, 'resend by email in a day', emailKey(email));
  return async () => void (await Promise.all([forgive(), forgiveInDay()]));
}

/** Returns whether an email may be sent to this address. If not, the response is the same and no email is sent. */
export async function limitReset(context: Counting, client: LimitedClient, email: string): Promise<boolean> {
  await spend(context, 'reset by address', clientKey(client.address));
  const { allowed } = await take(context, 'reset by email', emailKey(email));
  return allowed;
}

export async function limitPasswordChange(
  context: Counting,
  client: LimitedClient,
  accountId: string,
): Promise<Forgive> {
  const forgiveAddress = await spend(context, 'password change by address', clientKey(client.address));
  const forgiveAccount = await spend(context, 'password change by account', accountId);
  return async () => void (await Promise.all([forgiveAddress(), forgiveAccount()]));
}

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
