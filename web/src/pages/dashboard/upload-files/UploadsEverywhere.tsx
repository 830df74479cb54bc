import { useLocation } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useAccount } from '../../../api/account/account.ts';
import { lazyPart } from '../../../lib/lazy-component.ts';
import { toast } from '../../../ui/toast.ts';
import { droppedFiles } from './read-files.ts';
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

/**
 * Accepts files that are dropped on any page or pasted anywhere in the dashboard while an account is signed in. Mounted
 * above all pages: once there is a queue, it survives navigation.
 */
export function UploadsEverywhere({ onQueue }: UploadsEverywhereProps) {
  const onDashboard = useLocation({ select: ({ pathname }) => pathname.startsWith('/dashboard') });
  const onQueuePage = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') === '/dashboard' });
  const [needed, setNeeded] = useState(onDashboard);
  const addFiles = useAddFiles(onQueuePage);
  const add = useCallback(
    (files: ReadFiles) => {
      setNeeded(true);
      void addFiles(files);
    },
    [addFiles],
  );
  const dragged = useDroppedFiles(add);
  usePastedFiles(add, onDashboard);
  if ((onDashboard || dragged) && !needed) setNeeded(true);
  return (
    <Suspense>
      {needed && <UploadHost onDashboard={onDashboard} onQueuePage={onQueuePage} dragged={dragged} onQueue={onQueue} />}
    </Suspense>
  );
}

/** Files, or the files of folders that are still being read. */
type ReadFiles = readonly File[] | Promise<readonly File[]>;

type AddFiles = (files: ReadFiles) => void;

/** Returns a function that adds files to the queue of the account that is signed in now. Loads the queue if necessary. */
function useAddFiles(onQueuePage: boolean) {
  const owner = useAccount().data?.info.email;
  return useCallback(
    async (reading: ReadFiles) => {
      try {
        const [files, { addFiles }] = await Promise.all([reading, import('./upload-queue-instance.ts')]);
        await addFiles(files, { owner, away: !onQueuePage });
      } catch {
        toast.error('The files could not be added. Please try again.');
      }
    },
    [owner, onQueuePage],
  );
}

/**
 * Accepts files and folders that are dropped anywhere on the page, whatever else of the page has loaded. Without this,
 * the browser would leave the app and open the file. Returns true while files are dragged over the page.
 */
function useDroppedFiles(add: AddFiles): boolean {
  const [dragged, setDragged] = useState(false);
  useEffect(() => {
    // Browsers disagree about `relatedTarget` here, so the elements that the drag has entered and not left are counted.
    const entered = new Set<EventTarget | null>();
    const report = () => setDragged(entered.size > 0);
    const end = () => {
      entered.clear();
      report();
    };
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (event.type === 'dragenter' || entered.size === 0) entered.add(event.target);
      report();
    };
    const leave = ({ target }: DragEvent) => {
      entered.delete(target);
      for (const other of entered) if (other instanceof Node && !other.isConnected) entered.delete(other);
      report();
    };
    const drop = (event: DragEvent) => {
      end();
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      add(droppedFiles(event.dataTransfer));
    };
    const listening = new AbortController();
    for (const type of ['dragenter', 'dragover'] as const) document.addEventListener(type, over, listening);
    document.addEventListener('dragleave', leave, listening);
    document.addEventListener('drop', drop, listening);
    // A drag may end without leaving the page. While it lasts, no pointer events fire.
    for (const type of ['dragend', 'pointermove'] as const) document.addEventListener(type, end, listening);
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), listening);
    return () => listening.abort();
  }, [add]);
  return dragged;
}

/** Accepts files pasted anywhere on the page, such as a screenshot. Pasted text is ignored. */
function usePastedFiles(add: AddFiles, listens: boolean): void {
  useEffect(() => {
    if (!listens) return undefined;
    const take = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isMeantAsText(event)) return;
      event.preventDefault();
      add(files);
    };
    window.addEventListener('paste', take);
    return () => window.removeEventListener('paste', take);
  }, [add, listens]);
}

/** Office programs add a picture of copied text to the text itself; in a field the user wants the text. */
const isMeantAsText = ({ target, clipboardData }: ClipboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.matches('input, textarea, [contenteditable]') &&
  (clipboardData?.types.includes('text/plain') ?? false);
