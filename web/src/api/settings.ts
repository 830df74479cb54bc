import { queryOptions, useQuery } from '@tanstack/react-query';
import { browserTimeZone } from '../lib/time.ts';
import { client } from './client.ts';

const settingsQuery = queryOptions({
  queryKey: ['get-account-settings'],
  queryFn: ({ signal }) => client.getAccountSettings({ signal }),
  staleTime: 30_000,
});

/** The time zone that the account's moments are shown in; until it is known, and with automatic on, the browser's. */
export function useTimeZone(): string {
  const { data } = useQuery(settingsQuery);
  const settings = data?.account.settings;
  return settings && !settings.timezone_auto ? settings.timezone : browserTimeZone();
}
