import type { Account } from '@holdfast/contract/src/account.ts';
import { roomWarning } from './check-files.ts';
import type { Queue, QueueEvent } from './queue.ts';
import { Warning } from './Warning.tsx';

export interface QueueNotesProps {
  readonly queue: Queue;
  readonly dispatch: (event: QueueEvent) => void;
  readonly account: Account;
}

/** What concerns the queue as a whole. */
export function QueueNotes({ queue, dispatch, account }: QueueNotesProps) {
  const room = roomWarning(queue, account);
  return (
    <output className="mt-3 grid gap-2 empty:hidden">
      {!queue.online && (
        <Warning>
          <span>
            You are offline. Uploads go on by themselves when the connection is back.{' '}
            {/* A server on this machine or in this house answers without the internet too. */}
            <button
              type="button"
              className="underline underline-offset-4"
              onClick={() => dispatch({ type: 'connection', online: true })}
            >
              Try now
            </button>
          </span>
        </Warning>
      )}
      {room !== undefined && <Warning>{room}</Warning>}
    </output>
  );
}
