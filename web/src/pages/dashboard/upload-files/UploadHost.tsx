import { useCallback, useEffect } from 'react';
import { DropAnywhere } from './DropAnywhere.tsx';
import { StopUploadsDialog } from './StopUploadsDialog.tsx';
import { addFiles } from './upload-queue-instance.ts';
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
  const owner = useQueue((queue) => queue.owner);
  const add = useCallback(
    (files: readonly File[]) => void addFiles(files, { owner, away: !onQueuePage }),
    [owner, onQueuePage],
  );
  const hasFiles = useQueue((queue) => queue.ids.length > 0);
  useEffect(() => {
    if (hasFiles) onQueue();
  }, [hasFiles, onQueue]);
  return (
    <>
      <DropAnywhere onFiles={add} dragged={dragged} />
      <StopUploadsDialog />
      <UploadTray onDashboard={onDashboard} onQueuePage={onQueuePage} />
    </>
  );
}
