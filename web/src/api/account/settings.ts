import type { AccountSettings, GuessedTimezone, OneSetting } from '@holdfast/contract/src/account.ts';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { browserTimeZone } from '../../lib/time.ts';
import { client } from '../client/client.ts';
import { fileListKey } from '../files.ts';
import { renew, useAccountChange } from './use-account-change.ts';

const settingsQuery = queryOptions({
  queryKey: ['get-account-settings'],
  queryFn: ({ signal }) => client.getAccountSettings({ signal }),
  staleTime: 30_000,
});

export const useSettings = () => useQuery(settingsQuery);

/**
 * Time zone in which the account's times are shown. It is the browser's until the settings are loaded, and while
 * automatic detection is on.
 */
export function useTimeZone(): string {
  const { data } = useQuery(settingsQuery);
  const settings = data?.account.settings;
  return settings && !settings.timezone_auto ? settings.timezone : browserTimeZone();
}

/** Returns a function that refetches the settings: another device may have changed what this page shows. */
export function useFetchSettings(): () => Promise<AccountSettings> {
  const queries = useQueryClient();
  return async () => {
    // A request that was sent earlier might miss such a change.
    await queries.cancelQueries({ queryKey: settingsQuery.queryKey });
    return (await queries.fetchQuery({ ...settingsQuery, staleTime: 0, retry: false })).account.settings;
  };
}

export function useChangeSetting() {
  const queries = useQueryClient();
  return useAccountChange({
    // Sends one change at a time, so that the server applies the last choice last.
    scope: { id: 'settings' },
    send: (account, change: OneSetting) => account.setAccountSettings({ body: change }),
    onSuccess: (_answer, change) => remember(queries, change),
    // Also after a failure: if only the response was lost, the change may be applied anyway.
    onSettled: async () => void reload(queries),
  });
}

/** Sends the browser's time zone to the server, which adopts it if automatic detection is on. */
export function useDetectTimezone() {
  const queries = useQueryClient();
  return useAccountChange({
    scope: { id: 'timezone' },
    send: (account, guess: GuessedTimezone) => account.setTimezone({ body: guess }),
    onSuccess: ({ timezone_updated, timezone }) => {
      if (!timezone_updated) return;
      remember(queries, { timezone });
      void reload(queries);
    },
  });
}

/** The list contains the settings that its links are built from. */
const reload = (queries: QueryClient) => renew(queries, settingsQuery.queryKey, fileListKey);

function remember(queries: QueryClient, change: OneSetting): void {
  queries.setQueryData(
    settingsQuery.queryKey,
    (known) => known && { ...known, account: { settings: withChanges(known.account.settings, [change]) } },
  );
}

/** The settings after these changes, applied in order. */
export function withChanges(settings: AccountSettings, changes: readonly OneSetting[]): AccountSettings {
  return Object.assign({}, settings, ...changes) as AccountSettings;
}
