import { useMutation, useQueryClient } from '@tanstack/react-query';
import { captchaToken } from './captcha.ts';
import { client } from './client.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { accountQuery } from './session.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Credentials) =>
      client.login({ body: { ...credentials, captcha_token: await captchaToken('login') } }),
    // The mutation ends when the account is known, so a form stays disabled until its page gives way.
    onSuccess: async () => {
      // One that was asked before the sign-in would say that nobody is there.
      await queries.cancelQueries({ queryKey: accountQuery.queryKey });
      const account = await queries.fetchQuery({ ...accountQuery, staleTime: 0 });
      if (!account)
        throw new Error('Your browser did not keep the session. Allow cookies for this site and try again.');
      tellOtherTabs();
    },
  });
}
