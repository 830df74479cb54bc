import { captchaToken } from '../captcha/captcha.ts';
import { client } from '../client/client.ts';
import { useOneCall } from '../client/use-one-call.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly password2: string;
}

export function useSignUp() {
  return useOneCall({
    mutationFn: async (account: NewAccount) =>
      client.createAccount({ body: { ...account, captcha_token: await captchaToken('create_account') } }),
  });
}

export function useVerifyEmail() {
  return useOneCall({
    mutationFn: ({ code, email }: { readonly code: string; readonly email: string | undefined }) =>
      client.verifyEmail({ body: email === undefined ? { code } : { code, email } }),
  });
}

export function useResendCode() {
  return useOneCall({ mutationFn: (email: string) => client.verifyEmail({ body: { resend_code_to: email } }) });
}
