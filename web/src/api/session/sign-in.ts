import { captchaToken } from '../captcha/captcha.ts';
import { client } from '../client/client.ts';
import { useEnter } from './enter.ts';
import { useOneCall } from '../client/use-one-call.ts';

export interface SignInCredentials {
  readonly email: string;
  readonly password: string;
}

export function useSignIn() {
  const enter = useEnter();
  return useOneCall({
    mutationFn: async (credentials: SignInCredentials) => {
      const captcha_token = await captchaToken('login');
      return client.login({ body: { ...credentials, captcha_token } });
    },
    // The mutation stays pending until the account is known, so that the form is disabled until its page is replaced.
    onSuccess: enter,
  });
}
