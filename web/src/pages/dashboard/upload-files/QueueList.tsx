import type { Account } from '@holdfast/contract/src/account.ts';
import { Card } from '../../../ui/Card.tsx';
import type { Queue, QueueEvent } from './queue.ts';
import { UploadRow } from './UploadRow.tsx';

export interface QueueListProps {
  readonly queue: Queue;
  readonly dispatch: (event: QueueEvent) => void;
  readonly account: Account;
}

export function QueueList({ queue, dispatch, account }: QueueListProps) {
  if (queue.items.length === 0)
    return <Card className="mt-3 px-4 py-8 text-center text-muted">No files selected for upload</Card>;
  return (
    <Card className="mt-3">
      <ul aria-label="Upload queue" className="divide-y divide-line">
        {queue.items.map((item) => (
          <UploadRow key={item.id} item={item} dispatch={dispatch} account={account} />
        ))}
      </ul>
    </Card>
  );
}
