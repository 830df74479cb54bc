import { useEffect, useMemo } from 'react';
import { useAccount } from '../../../api/session.ts';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import type { FileRules } from './check-files.ts';
import { DropZone } from './DropZone.tsx';
import { PlanNote } from './PlanNote.tsx';
import { QueueBar } from './QueueBar.tsx';
import { QueueList } from './QueueList.tsx';
import { QueueNotes } from './QueueNotes.tsx';
import { addFiles, uploads } from './tab-uploads.ts';
import { useQueue } from './use-queue.ts';

export function UploadFilesPage() {
  const { data: account } = useAccount();
  const rules = useFileRules(account?.info.level, account?.limits.max_file_size);
  useOutcomeSeen();
  if (!account || !rules) return null;
  return (
    // On a phone fingers press: everything is 44 pixels high there.
    <div className="max-[860px]:[--control:44px]">
      <PageTitle>Upload Files</PageTitle>
      <DropZone onFiles={(files) => void addFiles(files, false)}>
        <PlanNote account={account} />
      </DropZone>
      <QueueBar />
      <QueueNotes account={account} />
      <QueueList rules={rules} />
    </div>
  );
}

/** The same object as long as the plan is the same: the account is asked for again and again while files go up. */
function useFileRules(level: FileRules['level'] | undefined, maxFileSize: number | undefined): FileRules | undefined {
  return useMemo(
    () => (level === undefined || maxFileSize === undefined ? undefined : { level, maxFileSize }),
    [level, maxFileSize],
  );
}

/** Whoever saw here how a batch ended need not be told on other pages. */
function useOutcomeSeen(): void {
  const running = useQueue((queue) => queue.running);
  useEffect(() => {
    if (!running) uploads.dispatch({ type: 'see-outcome' });
  }, [running]);
}
