/**
 * The only queue of this tab, connected to the server, the account and the browser. It lives outside React and outside
 * all pages, so that only signing out ends it. It is created when the first page that needs it is loaded.
 */
import { refetchFiles } from '../../../api/files.ts';
import { isAnswering, uploadFile } from '../../../api/upload/upload-file.ts';
import { queryClient } from '../../../api/client/query-client.ts';
import { noticeSessionEnd } from '../../../api/session/session-end.ts';
import { accountQuery } from '../../../api/account/account.ts';
import { pathsOfFiles, unfinishedKey } from '../../../api/upload/unfinished.ts';
import { patienceOf } from '../../../api/upload/watch-stall.ts';
import { setTitleNote } from '../../../lib/document-title.ts';
import { formatCount, formatFiles } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { toast } from '../../../ui/toast.tsx';
import { asUploaded } from './location-choice.ts';
import { mayBeStored } from './queue-item.ts';
import type { Queue } from './queue.ts';
import type { ReadFiles } from './read-files.ts';
import { itemOf, pauseOf, summaryOf } from './selectors.ts';
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

export async function addFiles(files: readonly File[], chosen: Chosen): Promise<void> {
  await addAsTheyAre(await asUploaded(files), chosen);
}

async function addAsTheyAre(files: readonly File[], chosen: Chosen): Promise<void> {
  if (files.length > many) toast.loading(`Adding ${formatFiles(files.length)}...`, { id: readingId });
  await readSizes(files);
  if (files.length > 0) addToQueue(files, chosen);
  toast.dismiss(readingId);
}

function addToQueue(files: readonly File[], { owner, away }: Chosen): void {
  if (uploads.read().owner !== owner) {
    toast.error('The files were not added: another account is now signed in in this browser.');
    return;
  }
  uploads.dispatch({ type: 'add', files });
  if (away) toast(`${formatFiles(files.length)} added to the upload queue`);
}

/** Adds the files of folders, and says meanwhile how many were found. `read` is called at once. */
export async function addFolders(
  read: (onProgress: (found: number) => void) => Promise<ReadFiles>,
  chosen: Chosen,
): Promise<void> {
  let found = 0;
  const show = throttle(250, () => showReading(found));
  const { files, unreadable } = await read((count) => {
    found = count;
    show();
  });
  found = 0;
  if (unreadable.length > 0) toast.error(couldNotBeRead(unreadable));
  await addFiles(files, chosen);
}

const readingId = 'reading';
/** Fewer files are read before anybody could read this. */
const many = 200;

function showReading(found: number): void {
  if (found > many) toast.loading(`Reading the folder... ${formatFiles(found)}`, { id: readingId });
}

const couldNotBeRead = ([name = '', ...others]: readonly string[]): string =>
  others.length === 0
    ? `${shownName(name)} could not be read`
    : `${formatCount(others.length + 1)} files or folders could not be read, such as ${shownName(name)}`;

/** Browsers look up the size of a chosen file on first access, which takes a while for a thousand files. */
async function readSizes(files: readonly File[]): Promise<void> {
  const readAtOnce = 50;
  for (const [at, file] of files.entries()) {
    void file.size;
    // Yields, so that user input is handled first.
    if (at % readAtOnce === readAtOnce - 1) await new Promise((resolve) => setTimeout(resolve));
  }
}

type Removal = { readonly type: 'remove'; readonly id: number } | { readonly type: 'clear' };

/** Most queues have no file that needs it. */
const resuming = () => import('../../../api/upload/resume-upload.ts');

/** Goes on with an upload that this or another browser began. */
export async function continueUpload(file: File, path: string, owner: string): Promise<void> {
  pathsOfFiles.set(file, path);
  await addAsTheyAre([file], { owner, away: false });
  uploads.dispatch({ type: 'start' });
}

/** Says which of the removed files may have a public link all the same: no row shows it any more. */
export function removeFiles(removal: Removal): void {
  const { items: before, owner } = uploads.read();
  const sent = before.filter(mayBeStored);
  uploads.dispatch(removal);
  const begun = before.filter(
    ({ id, status, file }) => status !== 'success' && pathsOfFiles.has(file) && !itemOf(uploads.read(), id),
  );
  for (const { file } of begun) void forgetUpload(pathsOfFiles.get(file) ?? '', owner ?? '');
  const names = sent.filter(({ id }) => !itemOf(uploads.read(), id)).map(({ file }) => file.name);
  if (names.length === 0) return;
  toast(`${oneOrMany(names)} ${names.length === 1 ? 'was' : 'were'} sent in full and may be stored. Check your files.`);
  void refetchFiles(queryClient);
}

/** Releases what the server has of a file. What cannot be removed expires. */
export async function forgetUpload(path: string, owner: string): Promise<void> {
  await (await resuming()).removeUnfinished(path, owner).catch(() => {});
  await queryClient.invalidateQueries({ queryKey: unfinishedKey });
}

function connectToServer(): Uploads {
  const refetch = openRefetch();
  const reportSuccess = openReports(tellSuccess);
  const reportFailure = openReports(tellFailure);
  const tab = randomText();
  const isOnline = () => navigator.onLine;
  return openUploads({
    async send({ file, id, deletions, lost, resumes }, options) {
      const patienceMs = patienceOf(lost);
      if (resumes) return (await resuming()).resumeUpload(file, { ...options, patienceMs });
      return uploadFile(file, { ...options, key: `${tab}-${id}-${deletions}`, patienceMs });
    },
    async askStored({ file }, owner) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return (await resuming()).storedOf(file, owner).catch(() => undefined);
    },
    explain: (error, { file }) =>
      explainSetback(error, file, {
        isOnline,
        isAnswering,
        noticeSessionEnd: (failure) => noticeSessionEnd(queryClient, failure),
      }),
    now: () => performance.now(),
    isOnline,
    onSuccess({ file }) {
      reportSuccess(file.name);
      refetch.soon();
    },
    onFailure: ({ file }, reason = 'Unknown error') => reportFailure({ name: file.name, reason }),
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
function openReports<Outcome>(tell: (outcomes: readonly Outcome[]) => void): (outcome: Outcome) => void {
  let untold: Outcome[] = [];
  const tellAll = throttle(2000, () => {
    const outcomes = untold;
    untold = [];
    if (isSignedIn()) tell(outcomes);
  });
  return (outcome) => {
    untold.push(outcome);
    tellAll();
  };
}

function tellSuccess(names: readonly string[]): void {
  toast.success(`${oneOrMany(names)} uploaded successfully!`);
}

interface Failure {
  readonly name: string;
  readonly reason: string;
}

function tellFailure(failures: readonly Failure[]): void {
  const what = oneOrMany(failures.map(({ name }) => name));
  const [reason, ...others] = new Set(failures.map((failure) => failure.reason));
  const why = others.length === 0 ? reason : 'The queue shows the reasons.';
  toast.error(`${what} ${failures.length === 1 ? 'upload failed' : 'could not be uploaded'}: ${why}`);
}

const oneOrMany = ([name = '', ...others]: readonly string[]): string =>
  others.length === 0 ? shownName(name) : formatFiles(others.length + 1);

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
