/**
 * Some changes need the password again. The server says so, the dialog of the dashboard asks for it, and then the change
 * is sent once more.
 */
import { isRefusal } from '../client/errors.ts';
import type { Client } from '../client/client.ts';
import { markNoticed } from '../session/session-end.ts';

export interface PasswordQuestion {
  /** Sends the password. Throws `CallFailed` if the server refuses it. */
  readonly confirm: (password: string) => Promise<unknown>;
  /** Ends the question: the change goes on if the password was confirmed, and ends otherwise. */
  readonly settle: (outcome: 'confirmed' | Error) => void;
}

let open: PasswordQuestion | undefined;
const listeners = new Set<() => void>();

const show = (next: PasswordQuestion | undefined) => {
  open = next;
  for (const listener of listeners) listener();
};

/** The pending question, for `useSyncExternalStore`. */
export const passwordQuestion = {
  read: () => open,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
} as const;

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
  open?.settle(notGiven());
  return new Promise((resolve, reject) => {
    show({
      confirm,
      settle(outcome) {
        show(undefined);
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
