import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { Limit } from '../engines/counters/counters.ts';
import { clientKey } from '../http/client-address.ts';
import { seconds } from '../lib/clock.ts';

/**
 * Limit of events from one address, which the provider never reaches because signed events are given back. It lets a
 * stranger keep at most two bodies under way in the long run.
 */
const unsignedPerAddress: Limit = { capacity: 120, everyMs: seconds(5) };

/** Stripe's format: a time and at least one signature. */
const wellFormed = /^t=\d{1,12}(?:,v\d=[0-9a-f]{64}){1,5}$/;

/**
 * Refuses, before a byte of the body is read, an event that cannot be the provider's, and counts the others.
 * @throws {Failure} INVALID_INPUT, RATE_LIMITED.
 */
export async function admitEvent({ counters }: Context, address: string, signature: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await counters.take(keyOf(address), unsignedPerAddress);
  if (!allowed) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds });
  if (!wellFormed.test(signature)) throw new Failure('INVALID_INPUT', 'A signature is missing.');
}

/** Call for an event that the provider has signed: it does not count. */
export async function forgiveEvent({ counters }: Context, address: string): Promise<void> {
  await counters.giveBack(keyOf(address), unsignedPerAddress);
}

const keyOf = (address: string) => `payment events from ${clientKey(address)}`;
