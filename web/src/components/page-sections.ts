/** Links to the sections of a long page, in its table of contents and in addresses. */
import { useEffect, useSyncExternalStore } from 'react';

/** Returns the id of the section that is being read. `ids` are in page order. */
export function useCurrentSection(ids: readonly string[]): string | undefined {
  return useSyncExternalStore(listen, () => sectionBeingRead(ids));
}

function listen(onChange: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener('scroll', onChange, { passive: true, signal });
  window.addEventListener('resize', onChange, { signal });
  return () => listening.abort();
}

/** Distance below the top of the window at which a section counts as being read, in pixels. */
const readingLine = 160;

function sectionBeingRead(ids: readonly string[]): string | undefined {
  const { scrollHeight } = document.documentElement;
  // The last section may be too short to ever reach the line.
  const atEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2;
  if (atEnd) return ids.at(-1);
  const isReached = (id: string) =>
    (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= readingLine;
  return ids.findLast(isReached) ?? ids[0];
}

/**
 * Scrolls to the fragment of the address and moves the focus there, once its section is there. The browser looks for it
 * before the session is known and the page is rendered, so it finds nothing.
 */
export function useLinkedPlace(isThere = true): void {
  useEffect(() => {
    if (!isThere) return;
    const place = document.getElementById(decodeHash(location.hash.slice(1)));
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }, [isThere]);
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}
