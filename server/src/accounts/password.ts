import { hash, verify } from '@node-rs/argon2';
import { createSemaphore } from '../lib/semaphore.ts';

/** 19 MiB, two passes, one lane. */
const cost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing uses the thread pool that file reads need, so at most two hashes run at once. The others wait in a queue of
 * about two seconds; without a limit, a crowd of strangers would make everybody wait as long as it likes.
 */
const inTurn = createSemaphore(2, 50);

/**
 * `gone` takes a caller that has disconnected out of the queue, here and below.
 * @throws {QueueFull} before any hashing, here and below.
 */
export function hashPassword(password: string, gone?: AbortSignal): Promise<string> {
  return inTurn(() => hash(password, cost), gone);
}

/**
 * Returns whether `password` matches the hash. Without a hash it takes the same time and returns false, so that timing
 * does not reveal whether an email address has an account.
 */
export async function isPassword(password: string, hashed: string | undefined, gone?: AbortSignal): Promise<boolean> {
  const right = await inTurn(async () => verify(hashed ?? (await unmatchable()), password), gone);
  return right && hashed !== undefined;
}

let cachedUnmatchable: Promise<string> | undefined;
const unmatchable = () => (cachedUnmatchable ??= hash('no account has this password', cost));
