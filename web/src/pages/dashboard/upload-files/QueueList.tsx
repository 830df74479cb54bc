import { Suspense } from 'react';
import { lazyPart } from '../../../lib/lazy-part.ts';
import { Card } from '../../../ui/Card.tsx';
import type { FileRules } from './check-files.ts';
import type { LongQueueProps } from './LongQueue.tsx';
import { hasStuck, summaryOf } from './summary.ts';
import { UploadRow } from './UploadRow.tsx';
import { useQueue } from './use-queue.ts';

// Few queues are that long. Without it the page is slow and whole.
const LongQueue = lazyPart(async () => (await import('./LongQueue.tsx')).LongQueue, WholeQueue);
const longFrom = 201;

export function QueueList({ rules }: { readonly rules: FileRules }) {
  const ids = useQueue((queue) => queue.ids);
  const stuck = useQueue((queue) => hasStuck(summaryOf(queue)));
  if (ids.length === 0)
    return <Card className="mt-3 px-4 py-8 text-center text-muted">No files selected for upload</Card>;
  return (
    <Card className="group/queue mt-3" data-stuck={stuck || undefined}>
      {ids.length < longFrom ? (
        <WholeQueue ids={ids} rules={rules} />
      ) : (
        <Suspense>
          <LongQueue ids={ids} rules={rules} />
        </Suspense>
      )}
    </Card>
  );
}

function WholeQueue({ ids, rules }: LongQueueProps) {
  return (
    <ul aria-label="Upload queue" className="divide-y divide-line">
      {ids.map((id) => (
        <li key={id}>
          <UploadRow id={id} rules={rules} />
        </li>
      ))}
    </ul>
  );
}
