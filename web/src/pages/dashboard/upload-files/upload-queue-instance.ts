/**
 * The only queue of this tab, connected to the server, the account and the browser. It lives outside React and outside
 * all pages, so that only signing out ends it. It is created when the first page that needs it is loaded.
 */
import { refetchFiles } from '../../../api/files.ts';
import { isAnswering, uploadFile } from '../../../api/upload/upload-file.ts';
import { queryClient } from '../../../api/client/query-client.ts';
import { noticeSessionEnd } from '../../../api/session/session-end.ts';
import { accountQuery } from '../../../api/account/account.ts';
import { patienceOf } from '../../../api/upload/watch-stall.ts';
import { setTitleNote } from '../../../lib/document-title.ts';
import { formatFiles } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { toast } from '../../../ui/toast.tsx';
import type { Queue } from './queue.ts';
import { pauseOf, summaryOf } from './selectors.ts';
import { explainSetback } from './setback.ts';
import { throttle } from './throttle.ts';
import { openUploads, tryAgainLater, type Uploads } from './uploads.ts';

export const uploads = connectToServer();

tryAgainLater(uploads);
connectToBrowser();
followAccount();
export interface Chosen {
  readonly owner: string | undefined;
  readonly away: boolean;
}

export async function addFiles(files: readonly File[], { owner, away }: Chosen): Promise<void> {
  if (files.length === 0) return;
  await readSizes(files);
  if (uploads.read().owner !== owner) {
    toast.error('The files were not added: another account is now signed in in this browser.');
    return;
  }
  uploads.dispatch({ type: 'add', files });
  if (away) toast(`${formatFiles(files.length)} added to the upload queue`);
}

/** Browsers look up the size of a chosen file on first access, which takes a while for a thousand files. */
async function readSizes(files: readonly File[]): Promise<void> {
  const readAtOnce = 50;
  for (const [at, file] of files.entries()) {
    void file.size;
    // Yields, so that user input is handled first.
    if (at % readAtOnce === readAtOnce - 1) await new Promise((resolve) => setTimeout(resolve));
  }
}

function connectToServer(): Uploads {
  const refetch = openRefetch();
  const report = openReports();
  const tab = randomText();
  const isOnline = () => navigator.onLine;
  return openUploads({
    send({ file, id, deletions, lost }, options) {
      const key = `${tab}-${id}-${deletions}`;
      return uploadFile(file, { ...options, key, patienceMs: patienceOf(lost) });
    },
    explain: (error, { file }) =>
      explainSetback(error, file, {
        isOnline,
        isAnswering,
        noticeSessionEnd: (failure) => noticeSessionEnd(queryClient, failure),
      }),
    now: () => performance.now(),
    isOnline,
    onSuccess: ({ file }) => {
      report(shownName(file.name));
      refetch.soon();
    },
    onFailure: ({ file }, reason) =>
      void toast.error(`${shownName(file.name)} upload failed: ${reason ?? 'Unknown error'}`),
    onCancel() {
      toast('Upload canceled');
      // A canceled file may still have been stored.
      refetch.soon();
    },
    onBatchEnd: refetch.now,
  });
}

/**
 * Refetches the list and the account. `soon` batches the changes of some seconds into one refetch, and `now` ends the
 * wait if anything changed.
 */
function openRefetch() {
  // Long enough that a batch of a thousand small files does not refetch continuously.
  const atMostEveryMs = 5000;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    // After a sign-out there is no account to refetch.
    if (isSignedIn()) void refetchFiles(queryClient);
  };
  return {
    soon() {
      timer ??= setTimeout(now, atMostEveryMs);
    },
    now,
  };
}

/** A batch of small files would show, and read out, fifty messages a second. */
function openReports(): (name: string) => void {
  let uploaded: string[] = [];
  const show = throttle(2000, () => {
    const [name, ...others] = uploaded;
    uploaded = [];
    if (!isSignedIn()) return;
    const what = others.length === 0 ? name : formatFiles(others.length + 1);
    toast.success(`${what} uploaded successfully!`);
  });
  return (name) => {
    uploaded.push(name);
    show();
  };
}

const isSignedIn = (): boolean => Boolean(queryClient.getQueryData(accountQuery.queryKey));

/** Returns 128 random bits. Works without TLS too, where `randomUUID` is missing. */
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Connects the queue to the connection, to the tab's title, and to leaving the page. */
function connectToBrowser(): void {
  const reportConnection = () => uploads.dispatch({ type: 'connection', online: navigator.onLine });
  window.addEventListener('online', reportConnection);
  window.addEventListener('offline', reportConnection);
  const setNote = onlyChanges<string>(setTitleNote, '');
  // Updating the title costs the browser more than updating a row, and a queue of small files would do so fifty times a
  // second.
  const renewTitle = throttle(250, () => setNote(titleNote(uploads.read())));
  const guardLeaving = onlyChanges<boolean>(warnBeforeLeaving, false);
  uploads.subscribe(() => {
    renewTitle();
    guardLeaving(uploads.read().running);
  });
}

function onlyChanges<T>(act: (value: T) => void, first: T): (value: T) => void {
  let last = first;
  return (value) => {
    if (value === last) return;
    last = value;
    act(value);
  };
}

function titleNote(queue: Queue): string {
  const { place } = summaryOf(queue);
  if (!place) return '';
  const percent = `${Math.floor(place.progress * 100)}%`;
  const note = place.total > 1 ? `${percent} (${place.position} of ${place.total})` : percent;
  return pauseOf(queue) === undefined ? note : `Waiting, ${note}`;
}

/**
 * Warns before leaving during a batch, which would be lost even while it is paused. Files that still wait for the
 * button do not trigger the warning.
 */
function warnBeforeLeaving(running: boolean): void {
  if (running) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Ties the queue to the signed-in account. When the session ends, the queue stops but keeps its files, so that the same
 * user can continue after signing in again. Another user never sees them.
 */
function followAccount(): void {
  const readAccount = () => {
    const email = queryClient.getQueryData(accountQuery.queryKey)?.info.email;
    uploads.dispatch(email === undefined ? { type: 'stop' } : { type: 'sign-in', email });
  };
  readAccount();
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === accountQuery.queryKey[0]) readAccount();
  });
}
