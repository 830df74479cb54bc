import { useCallback } from 'react';
import { DropAnywhere } from './DropAnywhere.tsx';
import { StopUploadsDialog } from './StopUploadsDialog.tsx';
import { addFiles } from './tab-uploads.ts';
import { UploadTray } from './UploadTray.tsx';
import { useOnQueuePage } from './use-on-queue-page.ts';

export interface UploadHostProps {
  readonly onDashboard: boolean;
  /** Files are being dragged over the page. */
  readonly dragged: boolean;
}

/** What every page has of the queue. */
export function UploadHost({ onDashboard, dragged }: UploadHostProps) {
  const onQueuePage = useOnQueuePage();
  const add = useCallback((files: readonly File[]) => void addFiles(files, !onQueuePage), [onQueuePage]);
  return (
    <>
      <DropAnywhere onFiles={add} dragged={dragged} />
      <StopUploadsDialog />
      <UploadTray onDashboard={onDashboard} />
    </>
  );
}
