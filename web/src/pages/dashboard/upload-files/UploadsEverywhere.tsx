import { useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { useAccount } from '../../../api/account/account.ts';
import { pageContent } from '../../../ui/page-content.ts';
import { droppedFiles } from './read-files.ts';
import { StopUploadsDialog } from './StopUploadsDialog.tsx';
import { addFiles, addFolders } from './upload-queue-instance.ts';
import { UploadTray } from './UploadTray.tsx';
import { useQueue } from './use-queue.ts';

export interface UploadsEverywhereProps {
  readonly onQueue: () => void;
}

/**
 * Accepts files that are dropped on any page or pasted anywhere in the dashboard while an account is signed in. Mounted
 * above all pages: once there is a queue, it survives navigation.
 */
export function UploadsEverywhere({ onQueue }: UploadsEverywhereProps) {
  const onDashboard = useLocation({ select: ({ pathname }) => pathname.startsWith('/dashboard') });
  const onQueuePage = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') === '/dashboard' });
  const { add, addDropped } = useAddFiles(onQueuePage);
  const dragged = useDroppedFiles(addDropped);
  usePastedFiles(add, { listens: onDashboard, takesText: onQueuePage });
  const hasFiles = useQueue((queue) => queue.ids.length > 0);
  useEffect(() => {
    if (hasFiles) onQueue();
  }, [hasFiles, onQueue]);
  return (
    <>
      {dragged && <DropSign />}
      <StopUploadsDialog />
      <UploadTray onDashboard={onDashboard} onQueuePage={onQueuePage} />
    </>
  );
}

function DropSign() {
  return createPortal(
    <div className="fixed inset-0 z-110 bg-paper/85 p-4">
      <div className="pointer-events-none grid size-full place-items-center rounded-m border-2 border-dashed border-sea bg-sea-wash/60">
        <p className="text-title-m font-semibold">Drop files to add them</p>
      </div>
    </div>,
    pageContent() ?? document.body,
  );
}

interface AddFiles {
  readonly add: (files: readonly File[]) => Promise<void>;
  /** Must be called during the event. */
  readonly addDropped: (dropped: DataTransfer) => Promise<void>;
}

function useAddFiles(onQueuePage: boolean): AddFiles {
  const owner = useAccount().data?.info.email;
  return useMemo(() => {
    const add = (files: readonly File[]) => addFiles(files, { owner, away: !onQueuePage });
    return {
      add,
      addDropped: (dropped) =>
        addFolders((onProgress) => droppedFiles(dropped, onProgress), { owner, away: !onQueuePage }),
    };
  }, [owner, onQueuePage]);
}

/**
 * Accepts files and folders that are dropped anywhere on the page, whatever else of the page has loaded. Without this,
 * the browser would leave the app and open the file. Returns true while files are dragged over the page.
 */
function useDroppedFiles(add: AddFiles['addDropped']): boolean {
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
      void add(event.dataTransfer);
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

interface Pasting {
  readonly listens: boolean;
  /** Whether pasted text becomes a file, too. */
  readonly takesText: boolean;
}

/** Accepts files pasted anywhere on the page, such as a screenshot. */
function usePastedFiles(add: AddFiles['add'], { listens, takesText }: Pasting): void {
  useEffect(() => {
    if (!listens) return undefined;
    const take = (event: ClipboardEvent) => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      const files = pasted.length === 0 && takesText ? textFile(event) : pasted;
      if (files.length === 0 || isMeantAsText(event)) return;
      event.preventDefault();
      void add(files);
    };
    window.addEventListener('paste', take);
    return () => window.removeEventListener('paste', take);
  }, [add, listens, takesText]);
}

function textFile({ clipboardData }: ClipboardEvent): readonly File[] {
  const text = clipboardData?.getData('text/plain') ?? '';
  return text === '' ? [] : [new File([text], 'paste.txt', { type: 'text/plain' })];
}

/** Office programs add a picture of copied text to the text itself; in a field the user wants the text. */
const isMeantAsText = ({ target, clipboardData }: ClipboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.matches('input, textarea, [contenteditable]') &&
  (clipboardData?.types.includes('text/plain') ?? false);
