import { useSyncExternalStore } from 'react';

/** The id of the section that is being read, of those whose ids are given from the top of the page to its end. */
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

/** How far below the top of the window a section counts as being read, in pixels. */
const readingLine = 160;

function sectionBeingRead(ids: readonly string[]): string | undefined {
  const { scrollHeight } = document.documentElement;
  // The last one may be too short to ever reach the line.
  const atEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2;
  if (atEnd) return ids.at(-1);
  const isReached = (id: string) =>
    (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= readingLine;
  return ids.findLast(isReached) ?? ids[0];
}
