import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useDropzone } from 'react-dropzone';
import { pageContent } from '../../../ui/page-content.ts';
import { meantFiles } from './meant-files.ts';

export interface DropAnywhereProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** Files were over the page already when this came. */
  readonly dragged: boolean;
}

/** Covers the page while files are dragged over it, and so takes a drop anywhere, whole folders too. */
export function DropAnywhere({ onFiles, dragged }: DropAnywhereProps) {
  const notice = useNotice(dragged);
  const { getRootProps, isDragGlobal } = useDropzone({
    onDrop: (files) => onFiles(meantFiles(files)),
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

/** What the drop zone does not notice: the drag that made this load, and one that ends without leaving the page. */
function useNotice(dragged: boolean): Notice {
  const [notice, setNotice] = useState<Notice>(dragged ? 'missed' : undefined);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const forgetMissed = () => setNotice((now) => (now === 'missed' ? undefined : now));
    const end = () => setNotice('ended');
    for (const type of ['dragleave', 'drop'] as const) document.addEventListener(type, forgetMissed, { signal });
    // While something is dragged no pointer moves.
    for (const type of ['dragend', 'pointermove'] as const) document.addEventListener(type, end, { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
    // Before the drop zone hears of it: the next drag is another one.
    document.addEventListener('dragenter', () => setNotice(undefined), { signal, capture: true });
    return () => controller.abort();
  }, []);
  return notice;
}

const cover = 'fixed inset-0 z-110 bg-paper/85 p-4';
