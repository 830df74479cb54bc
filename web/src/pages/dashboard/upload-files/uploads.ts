/**
 * Drives the queue outside React: sends the next file, aborts transfers that the queue no longer wants, and tries again
 * after failed attempts.
 */
import { retryDelay } from '../../../api/client/retry.ts';
import type { ResumeOptions } from '../../../api/upload/resume-upload.ts';
import type { StoredUpload } from '../../../api/upload/upload-file.ts';
import { type UploadFailure, isLastTry, mayBeStored, type QueueItem } from './queue-item.ts';
import { emptyQueue, type Queue, type QueueEvent, reduceQueue } from './queue.ts';
import { itemOf, nextItem } from './selectors.ts';
import type { Setback } from './setback.ts';

type SendOptions = Pick<ResumeOptions, 'owner' | 'signal' | 'onProgress' | 'onStall' | 'onResume'>;

export interface UploadsOptions {
  readonly send: (item: QueueItem, options: SendOptions) => Promise<StoredUpload>;
  /** Fraction that the server has of a paused file that resumes, if it has begun. */
  readonly askStored: (item: QueueItem, owner: string) => Promise<number | undefined>;
  readonly explain: (error: unknown, item: QueueItem) => Promise<Setback>;
  readonly now: () => number;
  readonly isOnline: () => boolean;
  readonly onSuccess: (item: QueueItem) => void;
  readonly onFailure: (item: QueueItem, reason: string | undefined) => void;
  readonly onCancel: () => void;
  /** Called when the batch has no files left to upload. A stopped batch has not ended. */
  readonly onBatchEnd: () => void;
}

export interface Uploads {
  readonly dispatch: (event: QueueEvent) => void;
  readonly read: () => Queue;
  readonly subscribe: (listener: (event: QueueEvent) => void) => () => void;
}

interface Transfer {
  readonly id: number;
  readonly controller: AbortController;
}

export function openUploads(options: UploadsOptions): Uploads {
  const listeners = new Set<(event: QueueEvent) => void>();
  let queue: Queue = { ...emptyQueue, online: options.isOnline() };
  const transfers = new Map<number, Transfer>();
  const isCurrent = (transfer: Transfer) => transfers.get(transfer.id) === transfer;

  function dispatch(event: QueueEvent): void {
    const before = queue;
    queue = reduceQueue(queue, event);
    if (queue === before) return;
    dropUnwanted();
    sendNext();
    if (before.running && !queue.running && event.type !== 'stop') options.onBatchEnd();
    for (const listener of listeners) listener(event);
  }

  function dropUnwanted(): void {
    for (const transfer of transfers.values()) {
      const item = itemOf(queue, transfer.id);
      if (item?.status !== 'uploading') drop(transfer, item);
    }
  }

  function drop({ id, controller }: Transfer, item: QueueItem | undefined): void {
    transfers.delete(id);
    controller.abort();
    if (item === undefined || item.status === 'canceled') options.onCancel();
    else if (queue.paused && item.resumes) void showStored(item);
  }

  /** The browser counts bytes as sent that are still on their way, and a server may take seconds to sync what came. */
  async function showStored({ id }: QueueItem): Promise<void> {
    for (let asked = 0; asked < 3; asked += 1) {
      const item = itemOf(queue, id);
      if (item?.status !== 'pending' || queue.owner === undefined) return;
      const fraction = await options.askStored(item, queue.owner);
      if (fraction !== undefined) dispatch({ type: 'hold', id, fraction });
    }
  }

  function sendNext(): void {
    const item = nextItem(queue);
    const { owner } = queue;
    if (!item || owner === undefined) return;
    const mine: Transfer = { id: item.id, controller: new AbortController() };
    transfers.set(item.id, mine);
    queue = reduceQueue(queue, { type: 'begin', id: item.id, at: options.now() });
    void follow(mine, item, owner);
  }

  async function follow(mine: Transfer, item: QueueItem, owner: string): Promise<void> {
    const { id } = item;
    const tell = (event: QueueEvent) => {
      if (isCurrent(mine)) dispatch(event);
    };
    try {
      const stored = await options.send(item, {
        owner,
        signal: mine.controller.signal,
        onProgress: (fraction) => tell({ type: 'progress', id, fraction, at: options.now() }),
        onResume: (fraction) => tell({ type: 'resume', id, fraction, at: options.now() }),
        onStall: () => tell({ type: 'stall', id }),
      });
      end(mine, () => options.onSuccess(item), { type: 'succeed', id, at: options.now(), ...stored });
    } catch (error) {
      if (isCurrent(mine)) takeSetback(mine, item, await options.explain(error, item));
    }
  }

  function takeSetback(mine: Transfer, item: QueueItem, setback: Setback): void {
    if (!isCurrent(mine)) return;
    switch (setback.kind) {
      case 'signed-out':
        // Every other file would be refused too, so the files wait for the next session.
        return dispatch({ type: 'stop' });
      case 'offline':
        return dispatch({ type: 'connection', online: false });
      case 'wait':
        if (!setback.lost || !isLastTry(item, setback.trouble)) {
          return dispatch({ ...setback, type: 'wait', id: item.id, at: options.now() });
        }
        return fail(mine, item, {
          error: 'Upload failed',
          hint: noAnswerHint(itemOf(queue, item.id)),
          unanswered: true,
        });
      default:
        return fail(mine, item, { ...setback, error: setback.reason ?? 'Upload failed' }, setback.reason);
    }
  }

  function fail(mine: Transfer, item: QueueItem, failure: UploadFailure, reason?: string): void {
    end(mine, () => options.onFailure(item, reason), { type: 'fail', id: item.id, ...failure });
  }

  /** A dropped transfer no longer affects the queue. */
  function end(mine: Transfer, tell: () => void, event: QueueEvent): void {
    if (!isCurrent(mine)) return;
    transfers.delete(mine.id);
    tell();
    dispatch(event);
  }

  return {
    dispatch,
    read: () => queue,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const noAnswerHint = (item: QueueItem | undefined): string =>
  item && mayBeStored(item)
    ? 'No response from server. The file may be stored: retry to get its link.'
    : 'No response from the server for this file. Try again later.';

/**
 * Browsers do not report when a server is back. So the queue retries at growing intervals, and not before the time that
 * the server requested.
 */
export function tryAgainLater(uploads: Uploads): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryAgain = () => {
    timer = undefined;
    uploads.dispatch({ type: 'try-again' });
  };
  uploads.subscribe(() => {
    const { resting, failedTries, retryAfterSeconds = 0 } = uploads.read();
    if (resting === (timer !== undefined)) return;
    clearTimeout(timer);
    const delay = Math.max(retryDelay(failedTries - 1, undefined), retryAfterSeconds * 1000);
    timer = resting ? setTimeout(tryAgain, delay) : undefined;
  });
}
