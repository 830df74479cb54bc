/** Tabs of one browser share a session and an account, so each tab broadcasts its changes to the others. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { accountKey, type ChangedKey, showNewKey } from '../account/account-cache.ts';

interface News {
  /** Keys of the queries that are now stale. If missing, another account may be signed in. */
  readonly changed?: readonly QueryKey[];
  readonly newKey?: ChangedKey;
}

const channel = new BroadcastChannel('holdfast-session');

/** Number of account checks that another tab has asked for and that are not finished. */
let checks = 0;

/** A session end that another tab reported is not reported again: many tabs would exceed the rate limit together. */
export function tellOfSessionEnd(): void {
  if (checks === 0) tellOtherTabs();
}

export function tellOtherTabs(news: News = {}): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin to name
  channel.postMessage(news);
}

export function hearOtherTabs(queries: QueryClient): void {
  channel.addEventListener('message', ({ data: { changed = [accountKey], newKey } }: MessageEvent<News>) => {
    if (newKey) showNewKey(queries, newKey);
    for (const queryKey of changed) void refetch(queries, queryKey);
  });
}

async function refetch(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const weight = queryKey[0] === accountKey[0] ? 1 : 0;
  checks += weight;
  await queries.invalidateQueries({ queryKey });
  checks -= weight;
}
