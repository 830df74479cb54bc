import { useEffect, useState } from 'react';
import { guardUploads, type Leaving } from '../../../api/upload/upload-guard.ts';
import { formatFiles } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx';
import { summaryOf } from './selectors.ts';
import { uploads } from './upload-queue-instance.ts';
import { useQueue } from './use-queue.ts';

const words = {
  logout: { title: 'Log out and stop the uploads?', agree: 'Log out' },
  reload: { title: 'Load the page again and stop the uploads?', agree: 'Load again' },
  deletion: { title: 'Delete the account and stop the uploads?', agree: 'Permanently delete my account' },
} as const;

interface Question {
  readonly leaving: Leaving;
  readonly settle: (agreed: boolean) => void;
}

/** Confirmation before an action that stops unfinished uploads. Escape continues the uploads. */
export function StopUploadsDialog() {
  const [question, setQuestion] = useState<Question>();
  const openFiles = useQueue((queue) => summaryOf(queue).openFiles);
  useEffect(() => guardUploads({ askToStop: (leaving) => askToStop(leaving, setQuestion), hasOpenFiles, drop }), []);
  // A question that is replaced or leaves with the page stops nothing.
  useEffect(() => () => question?.settle(false), [question]);
  if (!question) return null;
  const { title, agree } = words[question.leaving];
  const answer = (agreed: boolean) => {
    question.settle(agreed);
    setQuestion(undefined);
  };
  return (
    <Dialog title={title} text={whatStops(openFiles)} onClose={() => answer(false)}>
      <DialogButtons>
        <Button onClick={() => answer(false)}>Keep uploading</Button>
        <Button variant="danger" onClick={() => answer(true)}>
          {agree}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

async function askToStop(leaving: Leaving, ask: (question: Question) => void): Promise<boolean> {
  if (!hasOpenFiles()) return true;
  return new Promise((settle) => ask({ leaving, settle }));
}

const hasOpenFiles = (): boolean => summaryOf(uploads.read()).openFiles > 0;

function drop(): void {
  // Stopped first, so that the files are not reported as canceled.
  uploads.dispatch({ type: 'stop' });
  uploads.dispatch({ type: 'clear' });
}

/** The last uploads may finish while the user reads the question. */
function whatStops(files: number): string {
  if (files === 0) return 'All files in the queue have finished, so nothing would stop.';
  return `${formatFiles(files)} in the upload queue would stop, and the queue would be emptied.`;
}
