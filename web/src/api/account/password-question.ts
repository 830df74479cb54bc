/**
 * Some changes need the password again. The server says so, the dialog of the dashboard asks for it, and then the change
 * is sent once more.
 */
import { openStore } from '../../lib/store.ts';
import { isRefusal } from '../client/errors.ts';
import type { Client } from '../client/client.ts';
import { markNoticed } from '../session/session-end.ts';

export interface PasswordQuestion {
  /** Sends the password. Throws `CallFailed` if the server refuses it. */
  readonly confirm: (password: string) => Promise<unknown>;
  /** Ends the question: the change goes on if the password was confirmed, and ends otherwise. */
  readonly settle: (outcome: 'confirmed' | Error) => void;
}

export const passwordQuestion = openStore<PasswordQuestion | undefined>(undefined);

/** Runs a change, and asks for the password in between if the server wants it. */
export async function withPassword<Result>(client: Client, change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!isRefusal(error, 'PASSWORD_REQUIRED')) throw error;
    await ask((password) => client.confirmPassword({ body: { password } }));
    return change();
  }
}

function ask(confirm: PasswordQuestion['confirm']): Promise<void> {
  passwordQuestion.read()?.settle(notGiven());
  return new Promise((resolve, reject) => {
    passwordQuestion.set({
      confirm,
      settle(outcome) {
        passwordQuestion.set(undefined);
        if (outcome === 'confirmed') resolve();
        else reject(outcome);
      },
    });
  });
}

/** The user closed the dialog, so there is nothing to report. */
export function notGiven(): Error {
  const error = new Error('The password was not entered.');
  markNoticed(error);
  return error;
}
