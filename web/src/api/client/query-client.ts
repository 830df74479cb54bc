import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportFailure } from '../../monitoring/report-failure.ts';
import { retryDelay, shouldRetry, shouldRetryChange } from './retry.ts';
import { noticeSessionEnd } from '../session/session-end.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `orElse`: the value of a query after its first failure, if a page can work without the real data. */
    queryMeta: { readonly orElse?: null };
  }
}

// By default, a component learns of a change in a later task, and React redraws a switch that was just clicked in its
// old state until then. A microtask runs before anything is painted.
notifyManager.setScheduler(queueMicrotask);

export const afterFailure = 1;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (noticeSessionEnd(queryClient, error)) return;
      console.error(error);
      if (query.meta?.orElse !== undefined || isUnexpected(error)) reportFailure(error);
      if (query.meta?.orElse === undefined || query.state.data !== undefined) return;
      // Marked as old as possible, so that it is refetched as soon as the connection returns or a page needs it.
      queryClient.setQueryData(query.queryKey, query.meta.orElse, { updatedAt: afterFailure });
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => void noticeSessionEnd(queryClient, error, mutation),
  }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay,
      // Long enough to survive going back to a page, short enough not to keep a library of 100,000 files in memory.
      gcTime: 5 * 60_000,
      // The server may run on this machine or on the local network, so `navigator.onLine` does not matter.
      networkMode: 'always',
      // `networkMode: 'always'` turns this off by default: refetches stale data on screen when the connection returns.
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always', retry: shouldRetryChange, retryDelay },
  },
});

/** Pages handle refusals and lost connections with messages of their own, so those are expected failures. */
const isUnexpected = (error: unknown): boolean => !(error instanceof CallFailed) || error.problem === 'unreadable';
