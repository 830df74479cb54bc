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
  const missedEnter = useMissedEnter(dragged);
  const { getRootProps, isDragGlobal } = useDropzone({
    onDrop: (files) => onFiles(meantFiles(files)),
    noClick: true,
    noKeyboard: true,
    noPaste: true,
  });
  if (!isDragGlobal && !missedEnter) return null;
  return createPortal(
    <div {...getRootProps({ role: undefined, tabIndex: undefined, className: cover })}>
      <div className="pointer-events-none grid size-full place-items-center rounded-m border-2 border-dashed border-sea bg-sea-wash/60">
        <p className="text-title-m font-semibold">Drop to add to the queue</p>
      </div>
    </div>,
    pageContent() ?? document.body,
  );
}

/** The drag that made this load began before there was anybody to notice. */
function useMissedEnter(dragged: boolean): boolean {
  const [missed, setMissed] = useState(dragged);
  useEffect(() => {
    const listening = new AbortController();
    const forget = () => setMissed(false);
    for (const type of ['dragleave', 'drop', 'dragend', 'pointermove'] as const)
      document.addEventListener(type, forget, listening);
    return () => listening.abort();
  }, []);
  return missed;
}

const cover = 'fixed inset-0 z-110 bg-paper/85 p-4';
