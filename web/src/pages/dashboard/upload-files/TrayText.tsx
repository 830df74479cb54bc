import { summaryOf } from './summary.ts';
import { outcomeOf, waitingOf } from './tray-news.ts';
import { useQueue } from './use-queue.ts';
import { uploadingItem } from './views.ts';

export function TrayText() {
  const running = useQueue((queue) => queue.running);
  return running ? <RunningBatch /> : <QuietQueue />;
}

function RunningBatch() {
  const online = useQueue((queue) => queue.online);
  const name = useQueue((queue) => uploadingItem(queue)?.file.name);
  const position = useQueue((queue) => summaryOf(queue).place?.position);
  const total = useQueue((queue) => summaryOf(queue).place?.total);
  return (
    <>
      <p className="truncate">
        {online ? 'Uploading' : 'Offline, waiting'} <span className="figures">{position}</span> of{' '}
        <span className="figures">{total}</span>
      </p>
      <p className="min-h-5 truncate text-s text-muted">{name}</p>
    </>
  );
}

function QuietQueue() {
  const outcome = useQueue(outcomeOf);
  const waiting = useQueue(waitingOf);
  return (
    <>
      {outcome !== undefined && <p>{outcome}</p>}
      {waiting !== undefined && <p>{waiting}</p>}
    </>
  );
}
