import { useSyncExternalStore } from 'react';

/** The current time, at most half a minute old, for texts such as '2 minutes ago'. All components share one clock. */
export const useNow = (): number => useSyncExternalStore(subscribe, read);

const everyMs = 30_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  if (readers.size === 1) {
    timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/**
 * Updates a stale value on read: the timer stops while no component reads the clock, and browsers throttle it in
 * background tabs.
 */
function read(): number {
  if (Math.abs(Date.now() - now) >= everyMs) now = Date.now();
  return now;
}

function tick(): void {
  now = Date.now();
  for (const reader of readers) reader();
}
