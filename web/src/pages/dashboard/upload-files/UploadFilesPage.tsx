import { useCallback } from 'react';
import { useAccount } from '../../../api/session.ts';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { DropZone } from './DropZone.tsx';
import { PlanNote } from './PlanNote.tsx';
import { QueueBar } from './QueueBar.tsx';
import { QueueList } from './QueueList.tsx';
import { QueueNotes } from './QueueNotes.tsx';
import { usePastedFiles } from './use-pasted-files.ts';
import { useUploads } from './use-uploads.ts';

export function UploadFilesPage() {
  const { data: account } = useAccount();
  const [queue, dispatch] = useUploads();
  const add = useCallback((files: readonly File[]) => dispatch({ type: 'add', files }), [dispatch]);
  usePastedFiles(add);
  if (!account) return null;
  return (
    // On a phone fingers press: everything is 44 pixels high there.
    <div className="max-[860px]:[--control:44px]">
      <PageTitle>Upload Files</PageTitle>
      <DropZone onFiles={add}>
        <PlanNote account={account} />
      </DropZone>
      <QueueBar queue={queue} dispatch={dispatch} />
      <QueueNotes queue={queue} dispatch={dispatch} account={account} />
      <QueueList queue={queue} dispatch={dispatch} account={account} />
    </div>
  );
}
