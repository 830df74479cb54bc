import type { Account } from '@holdfast/contract/src/account.ts';
import { useLayoutEffect, useRef } from 'react';
import { roomWarning } from './check-files.ts';
import { places } from './focus-after.ts';
import { summaryOf } from './summary.ts';
import { uploads } from './tab-uploads.ts';
import { useQueue } from './use-queue.ts';
import { pauseOf } from './views.ts';
import { Warning } from './Warning.tsx';

/** What concerns the queue as a whole. */
export function QueueNotes({ account }: { readonly account: Account }) {
  const pause = useQueue(pauseOf);
  const room = useQueue((queue) => roomWarning(summaryOf(queue), account));
  return (
    <output className="mt-3 grid gap-2 empty:hidden">
      {pause === 'no-response' && (
        <Warning>
          <span>
            No response from server. Please check your connection. <TryNow />
          </span>
        </Warning>
      )}
      {pause === 'offline' && (
        <Warning>
          <span>
            Uploads wait, and go on by themselves when the connection is back. <TryNow />
          </span>
        </Warning>
      )}
      {room !== undefined && <Warning>{room}</Warning>}
    </output>
  );
}

/** A server on this machine or in this house answers without the internet too. */
function TryNow() {
  const button = useRef<HTMLButtonElement>(null);
  // It goes by itself when the connection returns, and must not take the focus along.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (document.activeElement === own) document.getElementById(places.start)?.focus();
    };
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className="underline underline-offset-4"
      onClick={() => uploads.dispatch({ type: 'connection', online: true })}
    >
      Try now
    </button>
  );
}
