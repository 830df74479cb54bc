import { useCallback, useEffect } from 'react';
import { DropAnywhere } from './DropAnywhere.tsx';
import { StopUploadsDialog } from './StopUploadsDialog.tsx';
import { addFiles } from './tab-uploads.ts';
import { UploadTray } from './UploadTray.tsx';
import { useOnQueuePage } from './use-on-queue-page.ts';
import { useQueue } from './use-queue.ts';

export interface UploadHostProps {
  readonly onDashboard: boolean;
  /** Files are being dragged over the page. */
  readonly dragged: boolean;
  readonly onQueue: () => void;
}

/** What every page has of the queue. */
export function UploadHost({ onDashboard, dragged, onQueue }: UploadHostProps) {
  const onQueuePage = useOnQueuePage();
  const add = useCallback((files: readonly File[]) => void addFiles(files, !onQueuePage), [onQueuePage]);
  const hasFiles = useQueue((queue) => queue.ids.length > 0);
  useEffect(() => {
    if (hasFiles) onQueue();
  }, [hasFiles, onQueue]);
  return (
    <>
      <DropAnywhere onFiles={add} dragged={dragged} />
      <StopUploadsDialog />
      <UploadTray onDashboard={onDashboard} />
    </>
  );
}
