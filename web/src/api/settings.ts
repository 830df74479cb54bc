import type { AccountSettings, GuessedTimezone, OneSetting } from '@holdfast/contract/src/account.ts';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { browserTimeZone } from '../lib/time.ts';
import { client } from './client.ts';

const settingsQuery = queryOptions({
  queryKey: ['get-account-settings'],
  queryFn: ({ signal }) => client.getAccountSettings({ signal }),
  staleTime: 30_000,
});

export const useSettings = () => useQuery(settingsQuery);

/** The time zone that the account's moments are shown in; until it is known, and with automatic on, the browser's. */
export function useTimeZone(): string {
  const { data } = useQuery(settingsQuery);
  const settings = data?.account.settings;
  return settings && !settings.timezone_auto ? settings.timezone : browserTimeZone();
}

export function useChangeSetting() {
  const queries = useQueryClient();
  return useMutation({
    // One after the other: what was chosen last is what the server hears last.
    scope: { id: 'settings' },
    mutationFn: (change: OneSetting) => client.setAccountSettings({ body: change }),
    onSuccess: (_answer, change) => remember(queries, change),
    // Also after a failure: with an answer lost on the way, the change may be made all the same.
    onSettled: () => void reload(queries),
  });
}

/** Tells the server where the browser seems to be; with automatic on, it takes that over. */
export function useDetectTimezone() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (guess: GuessedTimezone) => client.setTimezone({ body: guess }),
    onSuccess: ({ timezone_updated, timezone }) => {
      if (!timezone_updated) return;
      remember(queries, { timezone });
      void reload(queries);
    },
  });
}

const reload = (queries: QueryClient) => queries.invalidateQueries({ queryKey: settingsQuery.queryKey });

function remember(queries: QueryClient, change: OneSetting): void {
  queries.setQueryData(
    settingsQuery.queryKey,
    (known) => known && { ...known, account: { settings: withChanges(known.account.settings, [change]) } },
  );
}

/** The settings as they are when these changes are made, the last one last. */
export function withChanges(settings: AccountSettings, changes: readonly OneSetting[]): AccountSettings {
  return Object.assign({}, settings, ...changes) as AccountSettings;
}
