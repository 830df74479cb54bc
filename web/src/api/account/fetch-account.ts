import type { Account } from '@holdfast/contract/src/account.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import type { QueryClient } from '@tanstack/react-query';
import { aboutAccount, accountKey, cachedEmail } from './account-cache.ts';
import { client } from '../client/client.ts';
import { noticeSessionEnd } from '../session/session-end.ts';

/** Treats a 401 as a result, not a failure: there is no session, or it has ended. */
export async function fetchAccount(queries: QueryClient, signal: AbortSignal): Promise<Account | null> {
  try {
    const { account } = await client.getAccountInfo({ signal });
    showAccount(queries, account);
    return account;
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
    noticeSessionEnd(queries, error);
    // The account is still cached while its deletion signs out.
    return queries.getQueryData<Account>(accountKey) ?? null;
  }
}

/**
 * Another tab may have signed in another account. The new account is shown first, and all data of the previous one is
 * reset.
 */
function showAccount(queries: QueryClient, account: Account): void {
  const before = cachedEmail(queries);
  queries.setQueryData(accountKey, account);
  // Not awaited: on a slow connection the screens would keep showing the previous account.
  if (before !== undefined && before !== account.info.email) void queries.resetQueries(aboutAccount);
}
