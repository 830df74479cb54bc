import { useLocation } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useAccount } from '../../../api/account.ts';
import { lazyPart } from '../../../lib/lazy-component.ts';
import type { UploadHostProps } from './UploadHost.tsx';

// Loaded on demand to keep public pages small: with the dashboard, or when a file is first dragged over a page. If
// loading fails, users can still choose files on the queue's own page.
const UploadHost = lazyPart<UploadHostProps>(
  async () => (await import('./UploadHost.tsx')).UploadHost,
  () => null,
);

export interface UploadsEverywhereProps {
  /** Called when the queue has files. */
  readonly onQueue: () => void;
}

/** Mounted above all pages while an account is signed in. Once there is a queue, it survives navigation. */
export function UploadsEverywhere({ onQueue }: UploadsEverywhereProps) {
  const onDashboard = useLocation({ select: ({ pathname }) => pathname.startsWith('/dashboard') });
  const onQueuePage = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') === '/dashboard' });
  const [needed, setNeeded] = useState(onDashboard);
  const [dragged, setDragged] = useState(false);
  if ((onDashboard || dragged) && !needed) setNeeded(true);
  useEffect(() => keepFilesInside(setDragged), []);
  usePastedFiles(useAddWhenLoaded(onQueuePage), onDashboard);
  return (
    <Suspense>
      {needed && <UploadHost onDashboard={onDashboard} onQueuePage={onQueuePage} dragged={dragged} onQueue={onQueue} />}
    </Suspense>
  );
}

/** Files that are added before the queue has loaded wait for it. */
function useAddWhenLoaded(onQueuePage: boolean) {
  const owner = useAccount().data?.info.email;
  return useCallback(
    async (files: readonly File[]) =>
      (await import('./upload-queue-instance.ts')).addFiles(files, { owner, away: !onQueuePage }),
    [owner, onQueuePage],
  );
}

/** Without this, the browser would leave the app and open a file that was dropped outside the drop zone. */
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

/** Accepts files pasted anywhere on the page, such as a screenshot. Pasted text is ignored. */
function usePastedFiles(onFiles: (files: readonly File[]) => Promise<void>, listens: boolean): void {
  useEffect(() => {
    if (!listens) return undefined;
    const take = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isMeantAsText(event)) return;
      event.preventDefault();
      void onFiles(files);
    };
    window.addEventListener('paste', take);
    return () => window.removeEventListener('paste', take);
  }, [onFiles, listens]);
}

/** Office programs add a picture of copied text to the text itself; in a field the user wants the text. */
const isMeantAsText = ({ target, clipboardData }: ClipboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.matches('input, textarea, [contenteditable]') &&
  (clipboardData?.types.includes('text/plain') ?? false);
