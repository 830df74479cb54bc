import type { QueryClient } from '@tanstack/react-query';
import { refetchFiles } from '../../../api/files.ts';
import { accountQuery } from '../../../api/session.ts';
import { noticeSessionEnd } from '../../../api/session-end.ts';
import { uploadFile } from '../../../api/upload.ts';
import { uploadProblem } from '../../../api/upload-problem.ts';
import { waitWhenTold } from '../../../api/wait-when-told.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { toast } from '../../../ui/toast.ts';
import { openRefetch } from './open-refetch.ts';
import { tryAgainLater } from './try-again-later.ts';
import { openUploads, type Uploads } from './uploads.ts';

/** The queue with the real server behind it, and the toasts of the spec's section 8. */
export function connectUploads(queries: QueryClient): Uploads {
  const refetch = openRefetch(() => {
    // Whoever has signed out meanwhile is not asked for.
    if (queries.getQueryData(accountQuery.queryKey)) void refetchFiles(queries);
  });
  const uploads = openUploads({
    send: (file, options) => waitWhenTold(() => uploadFile(file, options), options),
    now: () => performance.now(),
    isOnline: () => navigator.onLine,
    readError: uploadProblem,
    endedSession: (error) => noticeSessionEnd(queries, error),
    onSuccess: ({ file }) => {
      toast.success(`${shownName(file.name)} uploaded successfully!`);
      refetch.soon();
    },
    onFailure: ({ file }, reason) =>
      void toast.error(`${shownName(file.name)} upload failed: ${reason ?? 'Unknown error'}`),
    onCancel: () => void toast('Upload canceled'),
    onBatchEnd: refetch.now,
  });
  tryAgainLater(uploads);
  return uploads;
}
