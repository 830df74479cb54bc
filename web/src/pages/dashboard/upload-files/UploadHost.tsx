import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { pageContent } from '../../../ui/page-content.ts';
import { StopUploadsDialog } from './StopUploadsDialog.tsx';
import { UploadTray } from './UploadTray.tsx';
import { useQueue } from './use-queue.ts';

export interface UploadHostProps {
  readonly onDashboard: boolean;
  /** True on the queue's own page. */
  readonly onQueuePage: boolean;
  /** True while files are dragged over the page. */
  readonly dragged: boolean;
  readonly onQueue: () => void;
}

/** The parts of the queue that appear on every page. */
export function UploadHost({ onDashboard, onQueuePage, dragged, onQueue }: UploadHostProps) {
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

/** Covers the page while files are dragged over it. */
function DropSign() {
  return createPortal(
    <div className="fixed inset-0 z-110 bg-paper/85 p-4">
      <div className="pointer-events-none grid size-full place-items-center rounded-m border-2 border-dashed border-sea bg-sea-wash/60">
        <p className="text-title-m font-semibold">Drop to add to the queue</p>
      </div>
    </div>,
    pageContent() ?? document.body,
  );
}
