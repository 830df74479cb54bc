import { hash, verify } from '@node-rs/argon2';
import { createSemaphore } from '../lib/semaphore.ts';

/** 19 MiB, two passes, one lane. */
const cost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing uses the thread pool that file reads need, so at most two hashes run at once and the rest wait in a queue.
 */
const takingTurns = createSemaphore(2);

export function hashPassword(password: string): Promise<string> {
  return takingTurns(() => hash(password, cost));
}

/**
 * Returns whether `password` matches the hash. Without a hash it takes the same time and returns false, so that timing
 * does not reveal whether an email address has an account.
 */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  const right = await takingTurns(async () => verify(hashed ?? (await unmatchable()), password));
  return right && hashed !== undefined;
}

let cachedUnmatchable: Promise<string> | undefined;
const unmatchable = () => (cachedUnmatchable ??= hash('no account has this password', cost));
