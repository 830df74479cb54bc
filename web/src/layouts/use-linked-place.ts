import { useEffect } from 'react';

/**
 * Brings what the address names after its # into view, and reading goes on there. The browser looks for it before the
 * session is known and the page is drawn, and finds nothing.
 */
export function useLinkedPlace(): void {
  useEffect(() => {
    const place = document.getElementById(decodeHash(location.hash.slice(1)));
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }, []);
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}
