import { createContext, use, useSyncExternalStore } from 'react';
import type { Queue, QueueEvent } from './queue.ts';
import type { Uploads } from './uploads.ts';

export const UploadsContext = createContext<Uploads | null>(null);

/** The queue that the dashboard holds, and the way to change it. */
export function useUploads(): readonly [Queue, (event: QueueEvent) => void] {
  const uploads = use(UploadsContext);
  if (!uploads) throw new Error('useUploads needs an UploadProvider above it');
  return [useSyncExternalStore(uploads.subscribe, uploads.read), uploads.dispatch];
}
