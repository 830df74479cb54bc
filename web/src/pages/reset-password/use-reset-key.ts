import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The key of a reset link, once it is out of the address. */
    resetKey?: string;
  }
}

/**
 * The key of the link that led here. It leaves the address at once, where it could be read over a shoulder, copied
 * or kept in the list of visited pages; the history's state holds it, so that a reload does not lose it.
 */
export function useResetKey(): string | undefined {
  const { searchStr, state } = useLocation();
  const navigate = useNavigate();
  const fromLink = new URLSearchParams(searchStr).get('key') || undefined;
  useEffect(() => {
    if (fromLink !== undefined) void navigate({ to: '/reset-password', state: { resetKey: fromLink }, replace: true });
  }, [navigate, fromLink]);
  return fromLink ?? state.resetKey;
}
