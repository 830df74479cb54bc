import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The secret of a link, after it was removed from the address. */
    linkSecret?: string;
  }
}

/**
 * Returns the secret that a link carries in its fragment, such as `#key=…`. It is removed from the address at once,
 * where it could be read over a shoulder, copied or kept in the browser history. The history state keeps it, so that a
 * reload does not lose it.
 */
export function useLinkSecret(path: '/reset-password' | '/sign-up', name: string): string | undefined {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const fromLink = new URLSearchParams(hash).get(name) || undefined;
  useEffect(() => {
    if (fromLink !== undefined)
      void navigate({ to: path, state: (before) => ({ ...before, linkSecret: fromLink }), replace: true });
  }, [navigate, path, fromLink]);
  return fromLink ?? state.linkSecret;
}
