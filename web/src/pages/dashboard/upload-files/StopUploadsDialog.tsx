import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { formatFiles } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { summaryOf } from './selectors.ts';
import { stopQuestion } from './upload-queue-instance.ts';
import { useQueue } from './use-queue.ts';

const words = {
  logout: { title: 'Log out and stop the uploads?', agree: 'Log out' },
  reload: { title: 'Load the page again and stop the uploads?', agree: 'Load again' },
  deletion: { title: 'Delete the account and stop the uploads?', agree: 'Permanently delete my account' },
} as const;

/** Confirmation before an action that stops unfinished uploads. Escape continues the uploads. */
export function StopUploadsDialog() {
  const leaving = useSyncExternalStore(stopQuestion.subscribe, stopQuestion.read);
  const openFiles = useQueue((queue) => summaryOf(queue).openFiles);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (leaving !== undefined) dialog.current?.showModal();
    else dialog.current?.close();
  }, [leaving]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-losses`}
      onClose={() => stopQuestion.answer(false)}
      className={panel}
    >
      {leaving !== undefined && (
        <div className="p-5">
          <h2 id={`${id}-title`} className="text-title-s font-semibold">
            {words[leaving].title}
          </h2>
          <p id={`${id}-losses`} className="mt-2 text-muted">
            {whatStops(openFiles)}
          </p>
          <div className="mt-5 flex flex-wrap-reverse justify-end gap-2">
            <Button onClick={() => stopQuestion.answer(false)}>Keep uploading</Button>
            <Button variant="danger" onClick={() => stopQuestion.answer(true)}>
              {words[leaving].agree}
            </Button>
          </div>
        </div>
      )}
    </dialog>
  );
}

/** The last uploads may finish while the user reads the question. */
function whatStops(files: number): string {
  if (files === 0) return 'All files in the queue have finished, so nothing would stop.';
  return `${formatFiles(files)} in the upload queue would stop, and the queue would be emptied.`;
}

const panel =
  'm-auto w-[min(440px,calc(100vw-32px))] rounded-m border border-edge bg-surface text-m text-ink max-[860px]:[--control:44px] ' +
  'backdrop:bg-[oklch(0.2_0.02_215_/_0.45)]';
