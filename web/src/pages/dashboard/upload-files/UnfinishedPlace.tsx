import { Suspense } from 'react';
import { pathsOfFiles, useUnfinished } from '../../../api/upload/unfinished.ts';
import { lazyPage } from '../../../lib/lazy-page.ts';
import { uploads } from './upload-queue-instance.ts';
import type { UnfinishedUploadsProps } from './UnfinishedUploads.tsx';
import { useQueue } from './use-queue.ts';

// Nothing else waits for it.
const UnfinishedUploads = lazyPage<UnfinishedUploadsProps>(() =>
  import('./UnfinishedUploads.tsx').then(
    (code) => code.UnfinishedUploads,
    () => () => null,
  ),
);

/** Uploads that are in no queue of this tab. Accounts without one load none of the code. */
export function UnfinishedPlace({ owner }: { readonly owner: string }) {
  const unfinished = useUnfinished();
  useQueue((queue) => queue.ids);
  const here = new Set(uploads.read().items.map(({ file }) => pathsOfFiles.get(file)));
  const others = unfinished.filter(({ path }) => !here.has(path));
  if (others.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <UnfinishedUploads uploads={others} owner={owner} />
    </Suspense>
  );
}
