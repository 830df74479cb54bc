import { type RouterHistory, useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The secret of a link, after it was removed from the address. */
    linkSecret?: string;
  }
}

/** The pages that a link with a secret opens, and the name of the secret in its fragment or query. */
const secrets: Readonly<Record<string, string>> = { '/reset-password': 'key', '/sign-up': 'invitation' };

/**
 * Removes the secret from the address, where it could be read over a shoulder, copied, sent on or kept in the browser
 * history. The history state keeps it, so that a reload does not lose it. Called before the first render, and when a
 * link to the open page is followed.
 */
export function takeLinkSecret(router: Pick<RouterHistory, 'replace' | 'flush'>): void {
  const { pathname, hash, search } = location;
  const name = secrets[pathname.toLowerCase().replace(/\/+$/, '')] ?? '';
  const linkSecret = new URLSearchParams(hash.slice(1)).get(name) ?? new URLSearchParams(search).get(name);
  if (!linkSecret) return;
  // Written without the router, the state would be overwritten by its own.
  router.replace(pathname, { linkSecret });
  router.flush();
}

/** Returns the secret of the link that opened this page. */
export const useLinkSecret = (): string | undefined => useLocation().state.linkSecret;
