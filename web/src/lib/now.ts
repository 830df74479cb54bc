import { useSyncExternalStore } from 'react';

/** The time, renewed every half minute, for words such as '2 minutes ago'. All readers share one clock. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

const everyMs = 30_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(tick, everyMs);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const reader of readers) reader();
}
