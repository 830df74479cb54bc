import { shownName } from '../../../lib/shown-name.ts';
import { summaryOf } from './summary.ts';
import { outcomeOf, waitingOf } from './tray-news.ts';
import { useQueue } from './use-queue.ts';
import { pauseOf, uploadingItem } from './views.ts';

export function TrayText() {
  const running = useQueue((queue) => queue.running);
  return running ? <RunningBatch /> : <QuietQueue />;
}

function RunningBatch() {
  const pause = useQueue(pauseOf);
  const name = useQueue((queue) => uploadingItem(queue)?.file.name ?? '');
  const position = useQueue((queue) => summaryOf(queue).place?.position);
  const total = useQueue((queue) => summaryOf(queue).place?.total);
  return (
    <>
      <p className="truncate">
        {pause === undefined ? 'Uploading' : pauses[pause]} <span className="figures">{position}</span> of{' '}
        <span className="figures">{total}</span>
      </p>
      <p className="min-h-5 truncate text-s text-muted">
        <bdi>{shownName(name)}</bdi>
      </p>
    </>
  );
}

const pauses = {
  offline: 'Offline, waiting',
  'no-response': 'No response, waiting',
  held: 'Waiting to try again,',
} as const;

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
