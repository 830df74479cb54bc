/**
 * Keyboards and systems write the same letter in different ways: é is one code point or two. Passwords are hashed in
 * Normalization Form C, as RFC 8265 section 4.2.2 prescribes, so that the same password is right on each of them.
 */
import { QueueFull } from '../lib/semaphore.ts';
import { hashPassword, isPassword } from './password.ts';

const composed = (password: string) => password.normalize('NFC');

export const hashNewPassword = (password: string, gone?: AbortSignal): Promise<string> =>
  hashPassword(composed(password), gone);

export interface PasswordCheck {
  /** Takes a caller that has disconnected out of the queue of passwords. */
  readonly gone?: AbortSignal;
  /** Called when the queue is full: a password that was not checked does not count as a wrong one. */
  readonly forgive?: () => Promise<unknown>;
}

/**
 * Returns whether `password` matches the hash. Older hashes may have been made from the other form, so the password is
 * also checked as it was typed. Without a hash it takes the same time and returns false.
 * @throws {QueueFull}
 */
export async function isRightPassword(
  password: string,
  hashed: string | undefined,
  { gone, forgive }: PasswordCheck = {},
): Promise<boolean> {
  try {
    if (await isPassword(composed(password), hashed, gone)) return true;
    return composed(password) !== password && (await isPassword(password, hashed, gone));
  } catch (error) {
    if (error instanceof QueueFull) await forgive?.();
    throw error;
  }
}
