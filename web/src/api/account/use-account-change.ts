import type { QueryClient, QueryKey, UseMutationOptions } from '@tanstack/react-query';
import { useContext } from 'react';
import { useAccount } from './account.ts';
import { type Client, clientFor } from '../client/client.ts';
import { tellOtherTabs } from '../session/other-tabs.ts';
import { type Confirm, PasswordAsker, withPassword } from './password-question.ts';
import { useOneCall } from '../client/use-one-call.ts';
import { useLeftSignal } from '../../lib/left-signal.ts';

interface AccountChange<Result, Asked> extends Pick<UseMutationOptions, 'mutationKey' | 'scope'> {
  readonly send: (client: Client, asked: Asked) => Promise<Result>;
  /** For a change that may need the password: what it does, such as `delete your account`. */
  readonly purpose?: string;
  readonly onMutate?: (asked: Asked) => Promise<void>;
  readonly onSuccess?: (result: Result, asked: Asked, email: string) => void;
  readonly onError?: (asked: Asked) => void;
  /** The change stays pending until this promise resolves. */
  readonly onSettled?: () => Promise<unknown> | undefined;
}

/** The email is captured when the button is pressed: the screen may show another account before the call is sent. */
interface Meant<Asked> {
  readonly email: string;
  readonly asked: Asked;
}

/** A change to the account on screen. The server refuses it if the session now belongs to another account. */
export function useAccountChange<Result, Asked = void>({
  send,
  purpose = 'continue',
  onMutate,
  onSuccess,
  onError,
  onSettled,
  ...options
}: AccountChange<Result, Asked>) {
  const email = useAccount().data?.info.email ?? '';
  const ask = useContext(PasswordAsker);
  const leftSignal = useLeftSignal();
  const { mutateAsync, variables, data, isPending, isSuccess } = useOneCall<Result, Meant<Asked>, void>({
    ...options,
    mutationFn: ({ email: meant, asked }) => {
      const client = clientFor(meant);
      const askHere = (confirm: Confirm) => ask({ purpose, confirm, signal: leftSignal() });
      return withPassword(client, askHere, () => send(client, asked));
    },
    onMutate: async ({ asked }) => onMutate?.(asked),
    onSuccess: (result, meant) => onSuccess?.(result, meant.asked, meant.email),
    onError: (_error, { asked }) => onError?.(asked),
    onSettled: () => onSettled?.(),
  });
  return {
    mutateAsync: (asked: Asked) => mutateAsync({ email, asked }),
    asked: variables?.asked,
    data,
    isPending,
    isSuccess,
  } as const;
}

/**
 * Refetches the queries that a change has made stale, in every tab that shows them. Resolves when this tab has the new
 * data.
 */
export function renew(queries: QueryClient, ...changed: readonly QueryKey[]): Promise<unknown> {
  tellOtherTabs({ changed });
  return Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
