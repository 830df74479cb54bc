/** The query cache is the only record of the signed-in account. Screens and request headers read it there. */
import type { Account } from '@holdfast/contract/src/account.ts';
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';

export const accountKey = ['get-account-info'] as const;

/** Matches every query except the account query itself. */
export const aboutAccount = {
  predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== accountKey[0],
} as const;

export const cachedEmail = (queries: QueryClient): string | undefined =>
  queries.getQueryData<Account | null>(accountKey)?.info.email;

const remountsKey = ['remounts'] as const;

/**
 * Called when the server reports that another account is signed in. It remounts the dashboard pages, even if the next
 * account is the same one.
 */
export const remountDashboard = (queries: QueryClient): void =>
  void queries.setQueryData<number>(remountsKey, (remounts = 0) => remounts + 1);

/** Counter that changes whenever the dashboard pages must be remounted. */
export const useRemounts = (): number => useQuery<number>({ queryKey: remountsKey, queryFn: skipToken }).data ?? 0;

export interface ChangedKey {
  readonly email: string;
  readonly api_key: string;
}

/** Replaces the old key, which no longer works and must not stay on any screen. */
export function showNewKey(queries: QueryClient, { email, api_key }: ChangedKey): void {
  queries.setQueryData<Account | null>(accountKey, (account) =>
    account?.info.email === email ? { ...account, info: { ...account.info, api_key } } : account,
  );
}
