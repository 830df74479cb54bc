import type { Account } from '@holdfast/contract/src/account.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import type { QueryClient } from '@tanstack/react-query';
import { actFor } from './acting-for.ts';
import { client } from './client.ts';
import { accountKey, noticeSessionEnd } from './session-end.ts';

/** A 401 is an answer, not a failure: nobody is signed in (spec section 8), or nobody is any more. */
export async function fetchAccount(queries: QueryClient, signal: AbortSignal): Promise<Account | null> {
  try {
    const { account } = await client.getAccountInfo({ signal });
    actFor(account);
    const shown = queries.getQueryData<Account>(accountKey);
    // Another tab has signed somebody else in: nothing of the one before is shown to them.
    if (shown && shown.info.email !== account.info.email)
      await queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== accountKey[0] });
    return account;
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
    noticeSessionEnd(queries, error);
    return null;
  }
}
