import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useDropzone } from 'react-dropzone';
import { pageContent } from '../../../ui/page-content.ts';
import { ignoreSystemFiles } from './ignore-system-files.ts';

export interface DropAnywhereProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** True if files were already being dragged over the page when this component loaded. */
  readonly dragged: boolean;
}

/** Covers the page while files are dragged over it, and so accepts a drop anywhere, including whole folders. */
export function DropAnywhere({ onFiles, dragged }: DropAnywhereProps) {
  const notice = useNotice(dragged);
  const { getRootProps, isDragGlobal } = useDropzone({
    onDrop: (files) => onFiles(ignoreSystemFiles(files)),
    noClick: true,
    noKeyboard: true,
    noPaste: true,
  });
  if (notice === 'ended' || (!isDragGlobal && notice !== 'missed')) return null;
  return createPortal(
    <div {...getRootProps({ role: undefined, tabIndex: undefined, className: cover })}>
      <div className="pointer-events-none grid size-full place-items-center rounded-m border-2 border-dashed border-sea bg-sea-wash/60">
        <p className="text-title-m font-semibold">Drop to add to the queue</p>
      </div>
    </div>,
    pageContent() ?? document.body,
  );
}

type Notice = 'missed' | 'ended' | undefined;

/**
 * Detects what the drop zone misses: the drag that made this component load, and a drag that ends without leaving the
 * page.
 */
function useNotice(dragged: boolean): Notice {
  const [notice, setNotice] = useState<Notice>(dragged ? 'missed' : undefined);
  // Before the notice is painted: an Escape that follows at once must be heard.
  useLayoutEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const forgetMissed = () => setNotice((now) => (now === 'missed' ? undefined : now));
    const end = () => setNotice('ended');
    for (const type of ['dragleave', 'drop'] as const) document.addEventListener(type, forgetMissed, { signal });
    // During a drag no pointer events fire, so a pointer event means that the drag has ended.
    for (const type of ['dragend', 'pointermove'] as const) document.addEventListener(type, end, { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
    // Runs in the capture phase, before the drop zone: the next drag is a new one.
    document.addEventListener('dragenter', () => setNotice(undefined), { signal, capture: true });
    return () => controller.abort();
  }, []);
  return notice;
}

const cover = 'fixed inset-0 z-110 bg-paper/85 p-4';
