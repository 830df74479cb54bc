import { formatFiles } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx';
import { summaryOf } from './selectors.ts';
import { answerStop, stopQuestion } from './stop-question.ts';
import { useQueue } from './use-queue.ts';

const words = {
  logout: { title: 'Log out and stop the uploads?', agree: 'Log out' },
  reload: { title: 'Load the page again and stop the uploads?', agree: 'Load again' },
  deletion: { title: 'Delete the account and stop the uploads?', agree: 'Permanently delete my account' },
} as const;

/** Confirmation before an action that stops unfinished uploads. Escape continues the uploads. */
export function StopUploadsDialog() {
  const asked = useStore(stopQuestion);
  const openFiles = useQueue((queue) => summaryOf(queue).openFiles);
  if (!asked) return null;
  const { title, agree } = words[asked.leaving];
  return (
    <Dialog title={title} text={whatStops(openFiles)} onClose={() => answerStop(false)}>
      <DialogButtons>
        <Button onClick={() => answerStop(false)}>Keep uploading</Button>
        <Button variant="danger" onClick={() => answerStop(true)}>
          {agree}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The last uploads may finish while the user reads the question. */
function whatStops(files: number): string {
  if (files === 0) return 'All files in the queue have finished, so nothing would stop.';
  return `${formatFiles(files)} in the upload queue would stop, and the queue would be emptied.`;
}
