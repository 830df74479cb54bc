import { Button } from '../../../ui/Button.tsx';
import { CopyAllLinks } from './CopyAllLinks.tsx';
import { canRetry, canStart, type Queue, type QueueEvent } from './queue.ts';
import { batchPlace, finished } from './views.ts';

export interface QueueBarProps {
  readonly queue: Queue;
  readonly dispatch: (event: QueueEvent) => void;
}

export function QueueBar({ queue, dispatch }: QueueBarProps) {
  const links = finished(queue);
  const place = batchPlace(queue);
  return (
    <div className="mt-6 flex flex-wrap items-center gap-2">
      <Button
        variant="primary"
        busy={queue.running}
        disabled={!canStart(queue)}
        onClick={() => dispatch({ type: 'start' })}
      >
        {queue.running ? 'Uploading...' : 'Upload Files'}
      </Button>
      <Button disabled={queue.items.length === 0} onClick={() => dispatch({ type: 'clear' })}>
        Remove
      </Button>
      {queue.items.some(canRetry) && <Button onClick={() => dispatch({ type: 'retry-all' })}>Retry all</Button>}
      {place && (
        <p className="px-1 text-muted">
          <span className="figures text-ink">{place.position}</span> of{' '}
          <span className="figures text-ink">{place.total}</span>
        </p>
      )}
      {links.length > 0 && <CopyAllLinks links={links} />}
    </div>
  );
}
