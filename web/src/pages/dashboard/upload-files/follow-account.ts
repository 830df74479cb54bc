import type { QueryClient } from '@tanstack/react-query';
import { accountQuery } from '../../../api/session.ts';
import type { Uploads } from './uploads.ts';

/**
 * The queue belongs to whoever is signed in. A session that ends stops it and leaves the files, so that the same
 * person can go on after signing in again; another person never sees them.
 */
export function followAccount(uploads: Uploads, queries: QueryClient): void {
  let owner: string | undefined;
  const look = () => {
    const email = queries.getQueryData(accountQuery.queryKey)?.info.email;
    if (email === undefined) return uploads.dispatch({ type: 'stop' });
    if (owner !== undefined && owner !== email) {
      uploads.dispatch({ type: 'stop' });
      uploads.dispatch({ type: 'clear' });
    }
    owner = email;
  };
  look();
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === accountQuery.queryKey[0]) look();
  });
}
