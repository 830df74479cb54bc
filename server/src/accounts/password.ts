import { hash, verify } from '@node-rs/argon2';
import { createGate } from '../lib/gate.ts';

/** 19 MiB, two passes, one lane (decisions section 3). */
const cost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Hashing uses the threads that file reads need, so at most two run at once and the rest wait their turn. */
const takingTurns = createGate(2);

export function hashPassword(password: string): Promise<string> {
  return takingTurns(() => hash(password, cost));
}

/**
 * Whether `password` is the one that was hashed. Without a hash it takes as long and answers no,
 * so that the time does not tell whether an address has an account.
 */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  const right = await takingTurns(async () => verify(hashed ?? (await unmatchable()), password));
  return right && hashed !== undefined;
}

let cachedUnmatchable: Promise<string> | undefined;
const unmatchable = () => (cachedUnmatchable ??= hash('no account has this password', cost));
