import { QueryCache, QueryClient } from '@tanstack/react-query';
import { retryDelay, shouldRetry } from './retry.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `orElse`: what a query holds after its first failure, where a page can go on without the real answer. */
    queryMeta: { readonly orElse?: null };
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      console.error(error);
      if (query.meta?.orElse !== undefined && query.state.data === undefined) query.setData(query.meta.orElse);
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
    },
    mutations: { networkMode: 'always' },
  },
});
