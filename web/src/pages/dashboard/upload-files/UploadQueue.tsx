import type { Account } from '@holdfast/contract/src/account.ts';
import { Card } from '../../../ui/Card.tsx';
import { QueueHead } from './QueueHead.tsx';
import { QueueList } from './QueueList.tsx';
import { QueueNotes } from './QueueNotes.tsx';
import { useFileRules } from './use-eviction.ts';
import { useQueue } from './use-queue.ts';

/** The queue on its own page: the notices about it, its progress or outcome, and a row for each file. */
export function UploadQueue({ account }: { readonly account: Account }) {
  const rules = useFileRules(account);
  const isEmpty = useQueue((queue) => queue.ids.length === 0);
  return (
    <>
      <QueueNotes account={account} rules={rules} />
      {!isEmpty && (
        <Card className="mt-3">
          <QueueHead />
          <QueueList rules={rules} />
        </Card>
      )}
    </>
  );
}
