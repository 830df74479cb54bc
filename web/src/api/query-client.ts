import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportFailure } from './report-failure.ts';
import { retryDelay, shouldRetry } from './retry.ts';
import { noticeSessionEnd } from './session-end.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `orElse`: what a query holds after its first failure, where a page can go on without the real answer. */
    queryMeta: { readonly orElse?: null };
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (noticeSessionEnd(queryClient, error)) return;
      console.error(error);
      if (query.meta?.orElse !== undefined || isUnexpected(error)) reportFailure(error);
      if (query.meta?.orElse === undefined || query.state.data !== undefined) return;
      // As old as can be: it is asked again as soon as the connection returns or a page needs it.
      queryClient.setQueryData(query.queryKey, query.meta.orElse, { updatedAt: 1 });
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (!noticeSessionEnd(queryClient, error)) return undefined;
      queryClient.getMutationCache().remove(mutation);
      // Never ends: whoever waits for it is gone with the page, and has nothing more to say.
      return new Promise(() => {});
    },
  }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay,
      // Spec section 9: the cache is kept for 5 minutes.
      gcTime: 5 * 60_000,
      // The server may be on this machine or on the local network: what `navigator.onLine` says does not matter.
      networkMode: 'always',
      // With that mode it has to be asked for: what is old on the screen is asked again when the connection returns.
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always', retry: 0 },
  },
});

/** What a page says in its own words is a part of life: a refusal, or a connection that is gone. */
const isUnexpected = (error: unknown): boolean => !(error instanceof CallFailed) || error.problem === 'unreadable';
