import type { QueryClient } from '@tanstack/react-query';
import { refetchFiles } from '../../../api/files.ts';
import { uploadFile } from '../../../api/upload.ts';
import { uploadProblem } from '../../../api/upload-problem.ts';
import { waitWhenTold } from '../../../api/wait-when-told.ts';
import { toast } from '../../../ui/toast.ts';
import { openUploads, type Uploads } from './uploads.ts';

/** The queue with the real server behind it, and the toasts of the spec's section 8. */
export function connectUploads(queries: QueryClient): Uploads {
  const filesChanged = refetchSoon(queries);
  return openUploads({
    send: (file, options) => waitWhenTold(() => uploadFile(file, options), options.signal),
    now: () => performance.now(),
    isOnline: () => navigator.onLine,
    readError: uploadProblem,
    onSuccess: ({ file }) => {
      toast.success(`${file.name} uploaded successfully!`);
      filesChanged();
    },
    onFailure: ({ file }, reason) => void toast.error(`${file.name} upload failed: ${reason ?? 'Unknown error'}`),
    onCancel: () => void toast('Upload canceled'),
  });
}

/** Many small files in a row ask for one fresh list, not one each. */
function refetchSoon(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void refetchFiles(queries);
    }, 500);
  };
}
