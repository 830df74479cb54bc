import { useCallback } from 'react';
import { formatFiles } from '../../../lib/format.ts';
import { toast } from '../../../ui/toast.ts';
import { DropAnywhere } from './DropAnywhere.tsx';
import { StopUploadsDialog } from './StopUploadsDialog.tsx';
import { uploads } from './tab-uploads.ts';
import { UploadTray } from './UploadTray.tsx';
import { useOnQueuePage } from './use-on-queue-page.ts';
import { usePastedFiles } from './use-pasted-files.ts';

export interface UploadHostProps {
  readonly onDashboard: boolean;
  /** Files are being dragged over the page. */
  readonly dragged: boolean;
}

/** What every page has of the queue. */
export function UploadHost({ onDashboard, dragged }: UploadHostProps) {
  const onQueuePage = useOnQueuePage();
  const add = useCallback(
    (files: readonly File[]) => {
      if (files.length === 0) return;
      uploads.dispatch({ type: 'add', files });
      if (!onQueuePage) toast(`${formatFiles(files.length)} added to the upload queue`);
    },
    [onQueuePage],
  );
  usePastedFiles(add, onDashboard);
  return (
    <>
      <DropAnywhere onFiles={add} dragged={dragged} />
      <StopUploadsDialog />
      <UploadTray onDashboard={onDashboard} />
    </>
  );
}
