import { useQueryClient } from '@tanstack/react-query';
import { captchaToken } from '../captcha/captcha.ts';
import { client } from '../client/client.ts';
import { fetchAccount } from '../account/fetch-account.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { firstAttemptSettled } from './pending-logout.ts';
import { accountQuery } from '../account/account.ts';
import { useOneCall } from '../client/use-one-call.ts';

export interface SignInCredentials {
  readonly email: string;
  readonly password: string;
}

export function useSignIn() {
  const queries = useQueryClient();
  return useOneCall({
    mutationFn: async (credentials: SignInCredentials) => {
      const captcha_token = await captchaToken('login');
      await firstAttemptSettled();
      return client.login({ body: { ...credentials, captcha_token } });
    },
    // The mutation stays pending until the account is known, so that the form is disabled until its page is replaced.
    onSuccess: async () => {
      // A request sent before the sign-in would report that there is no session.
      await queries.cancelQueries({ queryKey: accountQuery.queryKey });
      const account = await queries.fetchQuery({
        ...accountQuery,
        // This code was loaded with the form: a successful sign-in must not fail because a script cannot be loaded.
        queryFn: ({ signal }) => fetchAccount(queries, signal),
        staleTime: 0,
      });
      if (!account)
        throw new Error('Your browser did not keep the session. Allow cookies for this site and try again.');
      tellOtherTabs();
    },
  });
}
