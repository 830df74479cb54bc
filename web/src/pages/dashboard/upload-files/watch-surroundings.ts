/** Ties the queue to the browser around it: the connection, the tab's title, and leaving the page. */
import { setTitleNote } from '../../../lib/document-title.ts';
import { atIntervals } from './at-intervals.ts';
import type { Queue } from './queue.ts';
import { summaryOf } from './summary.ts';
import type { Uploads } from './uploads.ts';
import { pauseOf, uploadingItem } from './views.ts';

/** A title costs the browser more than a row: a queue of small files would write it fifty times a second. */
const titleEveryMs = 250;

export function watchSurroundings(uploads: Uploads): void {
  const tellConnection = () => uploads.dispatch({ type: 'connection', online: navigator.onLine });
  window.addEventListener('online', tellConnection);
  window.addEventListener('offline', tellConnection);
  const setNote = onlyChanges<string>(setTitleNote, '');
  const renewTitle = atIntervals(titleEveryMs, () => setNote(titleNote(uploads.read())));
  const guardLeaving = onlyChanges<boolean>(warnBeforeLeaving, false);
  uploads.subscribe(() => {
    renewTitle();
    guardLeaving(uploadingItem(uploads.read())?.held === false);
  });
}

function onlyChanges<T>(tell: (value: T) => void, first: T): (value: T) => void {
  let last = first;
  return (value) => {
    if (value === last) return;
    last = value;
    tell(value);
  };
}

function titleNote(queue: Queue): string {
  const { place } = summaryOf(queue);
  if (!place) return '';
  const percent = `${Math.floor(place.progress * 100)}%`;
  const note = place.total > 1 ? `${percent} (${place.position} of ${place.total})` : percent;
  return pauseOf(queue) === undefined ? note : `Waiting, ${note}`;
}

/** Only while bytes move: nobody is held back for files that merely wait. */
function warnBeforeLeaving(moving: boolean): void {
  if (moving) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
