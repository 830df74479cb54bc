import { captchaToken } from '../captcha/captcha.ts';
import { client } from '../client/client.ts';
import { useEnter } from '../session/enter.ts';
import { useOneCall } from '../client/use-one-call.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly password2: string;
}

interface SignUp {
  readonly account: NewAccount;
  readonly invitation: string | undefined;
}

export function useSignUp() {
  const enter = useEnter();
  return useOneCall({
    mutationFn: async ({ account, invitation }: SignUp) => {
      const captcha_token = await captchaToken('create_account');
      return client.createAccount({ body: { ...account, captcha_token, ...(invitation && { invitation }) } });
    },
    onSuccess: async ({ signed_in }) => {
      if (signed_in) await enter();
    },
  });
}

export function useVerifyEmail() {
  return useOneCall({ mutationFn: (code: string) => client.verifyEmail({ body: { code } }) });
}

export function useResendCode() {
  return useOneCall({ mutationFn: (email: string) => client.verifyEmail({ body: { resend_code_to: email } }) });
}
