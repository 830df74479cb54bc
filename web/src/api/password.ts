import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { captchaToken } from './captcha.ts';
import { client } from './client.ts';
import { errorMessage, serverMessage } from './errors.ts';
import { sessionsQuery } from './sessions.ts';

export interface NewPassword {
  readonly reset_key: string;
  readonly password: string;
  readonly password2: string;
}

export interface PasswordChange {
  readonly old_password: string;
  readonly new_password: string;
}

export function useRequestPasswordReset() {
  return useMutation({
    mutationFn: async (email: string) =>
      client.requestPasswordReset({ body: { email, captcha_token: await captchaToken('request_password_reset') } }),
  });
}

export function useResetPassword() {
  return useMutation({ mutationFn: (password: NewPassword) => client.resetPassword({ body: password }) });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: PasswordChange) =>
      client.changePassword({ body: { ...change, captcha_token: await captchaToken('change_password') } }),
    // A new password ends the other sessions (decisions section 3).
    onSuccess: () => void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** The server's words, or that the bot check could not be done, or else the form's own words. */
export function passwordProblem(error: unknown, fallback: string): string {
  return error instanceof CallFailed ? serverMessage(error, fallback) : errorMessage(error);
}
