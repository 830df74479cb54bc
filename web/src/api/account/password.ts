import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { useQueryClient } from '@tanstack/react-query';
import { accountKey } from './account-cache.ts';
import { captchaToken } from '../captcha/captcha.ts';
import { client } from '../client/client.ts';
import { errorMessage, serverMessage } from '../client/errors.ts';
import { renew, useAccountChange } from './use-account-change.ts';
import { sessionsQuery } from '../session/sessions.ts';
import { useOneCall } from '../client/use-one-call.ts';

export interface NewPassword {
  readonly reset_key: string;
  readonly password: string;
  readonly password2: string;
}

export interface PasswordChange {
  readonly old_password: string;
  readonly new_password: string;
  readonly change_api_key?: boolean | undefined;
}

export function useRequestPasswordReset() {
  return useOneCall({
    mutationFn: async (email: string) =>
      client.requestPasswordReset({ body: { email, captcha_token: await captchaToken('request_password_reset') } }),
  });
}

export function useResetPassword() {
  return useOneCall({ mutationFn: (password: NewPassword) => client.resetPassword({ body: password }) });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useAccountChange({
    send: async (account, change: PasswordChange) =>
      account.changePassword({ body: { ...change, captcha_token: await captchaToken('change_password') } }),
    // A new password ends all other sessions, and the API key may be a new one.
    onSuccess: () => void renew(queries, sessionsQuery.queryKey, accountKey),
  });
}

/** The server's message, a notice that the bot check failed, or the form's own fallback. */
export function passwordProblem(error: unknown, fallback: string): string {
  return error instanceof CallFailed ? serverMessage(error, fallback) : errorMessage(error);
}
