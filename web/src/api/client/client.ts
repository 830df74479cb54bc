import { actingForHeader } from '@holdfast/contract/src/bare-calls.ts';
import { calls } from '@holdfast/contract/src/calls.ts';
import { type Client, createClient } from '@holdfast/contract/src/client.ts';
import { cachedEmail } from '../account/account-cache.ts';
import { queryClient } from './query-client.ts';

export type { Client } from '@holdfast/contract/src/client.ts';

/** Client for queries: it requests data for the account in the cache, which is where the responses are stored. */
export const client = createClient(fetchFor(() => cachedEmail(queryClient)));

/** Client for changes: they apply to the account that was on screen when the user pressed the button. */
export const clientFor = (email: string): Client => createClient(fetchFor(() => email));

/**
 * Sends the account that a call is meant for. The server rejects the call if the session now belongs to another
 * account.
 */
function fetchFor(readEmail: () => string | undefined): typeof fetch {
  return (input, init) => {
    const email = readEmail();
    const headers = new Headers(init?.headers);
    // The account call is exempt, because it finds out whose session this is.
    if (email !== undefined && input !== calls.getAccountInfo.path) headers.set(actingForHeader, email);
    return window.fetch(input, { ...init, headers });
  };
}
