import { clsx } from 'clsx';
import { Suspense } from 'react';
import { lazyPart } from '../../../lib/lazy-part.ts';
import { Button } from '../../../ui/Button.tsx';
import { focusAfter, places } from './focus-after.ts';
import { canStart } from './queue.ts';
import { hasStuck, summaryOf } from './summary.ts';
import { uploads } from './tab-uploads.ts';
import { useQueue } from './use-queue.ts';

// An empty queue has no links, and every row its own button. It comes with the first file, while there is a connection.
const CopyAllLinks = lazyPart(
  async () => (await import('./CopyAllLinks.tsx')).CopyAllLinks,
  () => null,
);

export function QueueBar() {
  const isEmpty = useQueue((queue) => queue.ids.length === 0);
  const stuck = useQueue((queue) => hasStuck(summaryOf(queue)));
  return (
    <div className="mt-6 flex flex-wrap items-center gap-2">
      <StartButton id={places.start} />
      <Button
        className="max-sm:grow"
        disabled={isEmpty}
        onClick={() => focusAfter(() => uploads.dispatch({ type: 'clear' }), places.browse)}
      >
        Remove
      </Button>
      {stuck && (
        <Button
          className="max-sm:grow"
          onClick={() => focusAfter(() => uploads.dispatch({ type: 'retry-all' }), places.start)}
        >
          Retry all
        </Button>
      )}
      <BatchLine />
      <Suspense>{!isEmpty && <CopyAllLinks />}</Suspense>
    </div>
  );
}

/** Stays a place for the focus while it cannot be pressed: whoever pressed it has not lost their place. */
function StartButton({ id }: { readonly id: string }) {
  const running = useQueue((queue) => queue.running);
  const ready = useQueue(canStart);
  return (
    <Button
      id={id}
      variant="primary"
      busy={running}
      aria-disabled={!ready}
      className={clsx('max-sm:grow', !ready && resting)}
      onClick={() => uploads.dispatch({ type: 'start' })}
    >
      {running ? 'Uploading...' : 'Upload Files'}
    </Button>
  );
}

function BatchLine() {
  const position = useQueue((queue) => summaryOf(queue).place?.position);
  const total = useQueue((queue) => summaryOf(queue).place?.total);
  if (position === undefined) return null;
  return (
    <p className="px-1 text-muted">
      <span className="figures text-ink">{position}</span> of <span className="figures text-ink">{total}</span>
    </p>
  );
}

/** As a button looks that is disabled. */
const resting = 'cursor-not-allowed border-line! bg-sunken! text-muted! opacity-100!';
