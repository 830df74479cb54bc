import { useMutation } from '@tanstack/react-query';
import { captchaToken } from './captcha.ts';
import { client } from './client.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly password2: string;
}

export function useSignUp() {
  return useMutation({
    mutationFn: async (account: NewAccount) =>
      client.createAccount({ body: { ...account, captcha_token: await captchaToken('create_account') } }),
  });
}

export function useVerifyEmail() {
  return useMutation({
    mutationFn: ({ code, email }: { readonly code: string; readonly email: string | undefined }) =>
      client.verifyEmail({ body: email === undefined ? { code } : { code, email } }),
  });
}

export function useResendCode() {
  return useMutation({ mutationFn: (email: string) => client.verifyEmail({ body: { resend_code_to: email } }) });
}
