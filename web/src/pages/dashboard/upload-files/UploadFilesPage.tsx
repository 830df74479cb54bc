import { useEffect } from 'react';
import { useAccount } from '../../../api/account/account.ts';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { FirstStepsPlace } from '../first-steps/FirstStepsPlace.tsx';
import { DropZone } from './DropZone.tsx';
import { readFiles } from './read-files.ts';
import { addFiles, addFolders, uploads } from './upload-queue-instance.ts';
import { UnfinishedPlace } from './UnfinishedPlace.tsx';
import { UploadQueue } from './UploadQueue.tsx';
import { useQueue } from './use-queue.ts';
import { useSharedFiles } from './use-shared-files.ts';

export function UploadFilesPage() {
  const { data: account } = useAccount();
  useOutcomeSeen();
  useSharedFiles(account?.info.email);
  if (!account) return null;
  const chosen = { owner: account.info.email, away: false };
  return (
    // All controls are 44 pixels high on a phone, for touch.
    <div className="max-[860px]:[--control:44px]">
      <PageTitle>Upload Files</PageTitle>
      <FirstStepsPlace account={account} />
      <DropZone
        account={account}
        onFiles={(files) => void addFiles(files, chosen)}
        onFolder={(files) => void addFolders((onProgress) => readFiles(files, onProgress), chosen)}
      />
      <UnfinishedPlace owner={account.info.email} />
      <UploadQueue account={account} />
    </div>
  );
}

/** A batch whose end was shown on this page is not announced on other pages. */
function useOutcomeSeen(): void {
  const running = useQueue((queue) => queue.running);
  useEffect(() => {
    if (!running) uploads.dispatch({ type: 'see-outcome' });
  }, [running]);
}
