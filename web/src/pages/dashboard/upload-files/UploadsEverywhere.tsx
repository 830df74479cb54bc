import { useLocation } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.ts';
import type { UploadHostProps } from './UploadHost.tsx';
import { useOnQueuePage } from './use-on-queue-page.ts';
import { usePastedFiles } from './use-pasted-files.ts';

// Public pages stay small: the queue comes with the dashboard, or with the first file that is dragged over a page.
// Without it files are still chosen on the queue's own page.
const UploadHost = lazyPart<UploadHostProps>(
  async () => (await import('./UploadHost.tsx')).UploadHost,
  () => null,
);

export interface UploadsEverywhereProps {
  /** There are files in the queue now. */
  readonly onQueue: () => void;
}

/** Above all pages of whoever is signed in: once there is a queue, it stays whichever page is opened. */
export function UploadsEverywhere({ onQueue }: UploadsEverywhereProps) {
  const onDashboard = useLocation({ select: ({ pathname }) => pathname.startsWith('/dashboard') });
  const [needed, setNeeded] = useState(onDashboard);
  const [dragged, setDragged] = useState(false);
  if ((onDashboard || dragged) && !needed) setNeeded(true);
  useEffect(() => keepFilesInside(setDragged), []);
  usePastedFiles(useAddWhenLoaded(), onDashboard);
  return <Suspense>{needed && <UploadHost onDashboard={onDashboard} dragged={dragged} onQueue={onQueue} />}</Suspense>;
}

/** Whoever is quicker than the queue waits for it. */
function useAddWhenLoaded() {
  const onQueuePage = useOnQueuePage();
  return useCallback(
    async (files: readonly File[]) => (await import('./tab-uploads.ts')).addFiles(files, !onQueuePage),
    [onQueuePage],
  );
}

/** A file that is dropped beside everything would make the browser leave the app and open it. */
function keepFilesInside(onDrag: (dragged: boolean) => void): () => void {
  const keep = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    onDrag(event.type !== 'drop');
  };
  const leave = ({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) onDrag(false);
  };
  const listening = new AbortController();
  for (const type of ['dragenter', 'dragover', 'drop'] as const) document.addEventListener(type, keep, listening);
  document.addEventListener('dragleave', leave, listening);
  return () => listening.abort();
}
