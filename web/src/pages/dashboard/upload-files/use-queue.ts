import { useSyncExternalStore } from 'react';
import type { Queue } from './queue.ts';
import { subscribeScreen } from './screen-news.ts';
import { uploads } from './tab-uploads.ts';

/** What a part of the screen shows of the queue. It is drawn again only when that is another value than before. */
export function useQueue<T>(select: (queue: Queue) => T): T {
  return useSyncExternalStore(subscribeScreen, () => select(uploads.read()));
}
