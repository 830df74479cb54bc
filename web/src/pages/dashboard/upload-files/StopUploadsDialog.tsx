import { useEffect, useState } from 'react';
import { guardUploads, type Leaving } from '../../../api/upload/upload-guard.ts';
import { formatCount, formatFiles } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx';
import { hasUnstored, type QueueSummary, summaryOf } from './selectors.ts';
import { uploads } from './upload-queue-instance.ts';
import { useQueue } from './use-queue.ts';

const keep = 'Keep uploading';
const words = {
  logout: { title: 'Log out and stop the uploads?', agree: 'Log out', keep },
  reload: { title: 'Load the page again and empty the upload queue?', agree: 'Load again', keep: 'Keep the queue' },
  deletion: { title: 'Delete the account and stop the uploads?', agree: 'Permanently delete my account', keep },
} as const;

interface Question {
  readonly leaving: Leaving;
  readonly settle: (agreed: boolean) => void;
}

/** Confirmation before an action that stops unfinished uploads. Escape continues the uploads. */
export function StopUploadsDialog() {
  const [question, setQuestion] = useState<Question>();
  const text = useQueue((queue) => whatStops(summaryOf(queue)));
  useEffect(() => {
    const ask = (leaving: Leaving, signal: AbortSignal) =>
      new Promise<boolean>((settle) => {
        const asked = { leaving, settle };
        setQuestion(asked);
        signal.addEventListener('abort', () => setQuestion((now) => (now === asked ? undefined : now)));
      });
    return guardUploads({
      askToStop: async (leaving, signal) => !losesFiles[leaving]() || (await ask(leaving, signal)),
      hasUnstored: hasUnstoredFiles,
      drop,
    });
  }, []);
  // A question that is replaced or leaves with the page stops nothing.
  useEffect(() => () => question?.settle(false), [question]);
  if (!question) return null;
  const { title, agree, keep: stay } = words[question.leaving];
  const answer = (agreed: boolean) => {
    question.settle(agreed);
    setQuestion(undefined);
  };
  return (
    <Dialog title={title} text={text} onClose={() => answer(false)}>
      <DialogButtons>
        <Button onClick={() => answer(false)}>{stay}</Button>
        <Button variant="final" onClick={() => answer(true)}>
          {agree}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

const hasOpenFiles = (): boolean => summaryOf(uploads.read()).openFiles > 0;
const hasUnstoredFiles = (): boolean => hasUnstored(summaryOf(uploads.read()));

/** Those who leave the account have seen which files failed; a new version is also loaded without a press. */
const losesFiles = { logout: hasOpenFiles, deletion: hasOpenFiles, reload: hasUnstoredFiles } as const;

function drop(): void {
  // Stopped first, so that the files are not reported as canceled.
  uploads.dispatch({ type: 'stop' });
  uploads.dispatch({ type: 'clear' });
}

/** The last uploads may finish while the user reads the question. */
function whatStops({ openFiles, all }: QueueSummary): string {
  if (openFiles > 0)
    return openFiles === 1
      ? '1 upload is not finished. This stops it and clears the queue.'
      : `${formatCount(openFiles)} uploads are not finished. This stops them and clears the queue.`;
  const left = all.error + all.canceled;
  return left > 0
    ? `This clears the queue, with ${formatFiles(left)} that could be uploaded again.`
    : 'All uploads have finished.';
}
