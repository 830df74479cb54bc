/**
 * Some changes need the password again. The server says so, the dialog of the dashboard asks for it, and then the change
 * is sent once more.
 */
import { createContext } from 'react';
import { isRefusal } from '../client/errors.ts';
import type { Client } from '../client/client.ts';
import { markNoticed } from '../session/session-end.ts';

/** Sends the password. Throws `CallFailed` if the server refuses it. */
export type Confirm = (password: string) => Promise<unknown>;

export interface PasswordRequest {
  /** What the change does: `delete your account`. */
  readonly purpose: string;
  readonly confirm: Confirm;
  /** Closes the dialog. */
  readonly signal: AbortSignal;
}

/** Resolves when a password was confirmed, and rejects if the change is to end. */
export type AskForPassword = (request: PasswordRequest) => Promise<void>;

export const PasswordAsker = createContext<AskForPassword>(() => Promise.reject(notGiven()));

/** Runs a change, and asks for the password in between if the server wants it. */
export async function withPassword<Result>(
  client: Client,
  ask: (confirm: Confirm) => Promise<void>,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!isRefusal(error, 'PASSWORD_REQUIRED')) throw error;
    await ask((password) => client.confirmPassword({ body: { password } }));
    return change();
  }
}

/** The user closed the dialog, so there is nothing to report. */
export function notGiven(): Error {
  const error = new Error('The password was not entered.');
  markNoticed(error);
  return error;
}
