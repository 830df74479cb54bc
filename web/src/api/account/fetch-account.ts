import type { Account } from '@holdfast/contract/src/account.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import type { QueryClient } from '@tanstack/react-query';
import { aboutAccount, accountKey, cachedEmail, cachedSession } from './account-cache.ts';
import { client } from '../client/client.ts';
import { queryClient } from '../client/query-client.ts';
import { confirmLogout, isLoggedOut, logoutKey } from '../session/pending-logout.ts';
import { forgetAccount, leaveAccount, noticeSessionEnd } from '../session/session-end.ts';

hearLogouts(queryClient);

/**
 * Treats a 401 as a result, not a failure: there is no session, or it has ended. A session with a pending logout counts
 * as ended too, although the server still returns its account.
 */
export async function fetchAccount(queries: QueryClient, signal: AbortSignal): Promise<Account | null> {
  try {
    const { account } = await client.getAccountInfo({ signal });
    if (isLoggedOut(account.session_id)) {
      forgetAccount(queries);
      return null;
    }
    showAccount(queries, account);
    return account;
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
    noticeSessionEnd(queries, error);
    // The account is still cached while the user is signing out.
    return queries.getQueryData<Account>(accountKey) ?? null;
  } finally {
    void confirmLogout();
  }
}

/** Drops the account when another tab logs out of its session, and helps to confirm that: the other tab may be closed. */
function hearLogouts(queries: QueryClient): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== logoutKey || !isLoggedOut(cachedSession(queries))) return;
    leaveAccount(queries);
    void confirmLogout();
  });
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
