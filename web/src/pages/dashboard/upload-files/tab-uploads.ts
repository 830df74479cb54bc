/**
 * The one queue of this tab. It lives outside of React and of every page, so that nothing but signing out ends it; it
 * is made when the first page that needs it is loaded.
 */
import { queryClient } from '../../../api/query-client.ts';
import { registerUploads } from '../../../api/upload-stake.ts';
import { formatFiles } from '../../../lib/format.ts';
import { toast } from '../../../ui/toast.ts';
import { connectUploads } from './connect-uploads.ts';
import { followAccount } from './follow-account.ts';
import { openStopQuestion } from './stop-question.ts';
import { summaryOf } from './summary.ts';
import { watchSurroundings } from './watch-surroundings.ts';

export const uploads = connectUploads(queryClient);
export const stopQuestion = openStopQuestion();

/** `away` from the page that shows the queue, the files are announced. */
export async function addFiles(files: readonly File[], away: boolean): Promise<void> {
  if (files.length === 0) return;
  await readSizes(files);
  uploads.dispatch({ type: 'add', files });
  if (away) toast(`${formatFiles(files.length)} added to the upload queue`);
}

const readAtOnce = 50;

/** A browser looks a chosen file's size up when it is first asked for: of a thousand that takes a while. */
async function readSizes(files: readonly File[]): Promise<void> {
  for (const [at, file] of files.entries()) {
    void file.size;
    // Whatever the person pressed meanwhile comes first.
    if (at % readAtOnce === readAtOnce - 1) await new Promise((resolve) => setTimeout(resolve));
  }
}

watchSurroundings(uploads);
followAccount(uploads, queryClient);
registerUploads({
  askToStop: async (leaving) => summaryOf(uploads.read()).openFiles === 0 || (await stopQuestion.ask(leaving)),
  drop() {
    // Stopped first: what nobody canceled is not called canceled.
    uploads.dispatch({ type: 'stop' });
    uploads.dispatch({ type: 'clear' });
  },
});
