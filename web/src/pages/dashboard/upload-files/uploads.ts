/** Drives the queue: sends what is next, and aborts what the queue no longer wants. Lives outside of React. */
import { emptyQueue, isLost, type Queue, type QueueEvent, type QueueItem, reduceQueue } from './queue.ts';
import { itemOf, nextItem } from './views.ts';

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
  /** The server asked for a moment (true), and the next try begins (false). */
  readonly onHold: (held: boolean) => void;
}

export interface UploadsOptions {
  readonly send: (file: File, options: SendOptions) => Promise<string>;
  readonly now: () => number;
  readonly isOnline: () => boolean;
  readonly onSuccess: (item: QueueItem) => void;
  /** `reason` is what the server said, where it said something. */
  readonly onFailure: (item: QueueItem, reason: string | undefined) => void;
  readonly onCancel: () => void;
  /** Nothing of the batch is left to do. A batch that is stopped has not come to its end. */
  readonly onBatchEnd: () => void;
  /** Whether it failed because nobody is signed in any more, which is told to the person already. */
  readonly endedSession: (error: unknown) => boolean;
  /** What the server said, or undefined where there was no answer. */
  readonly readError: (error: unknown) => {
    readonly answered: boolean;
    readonly reason: string | undefined;
    readonly hint?: string | undefined;
  };
}

export interface Uploads {
  readonly dispatch: (event: QueueEvent) => void;
  readonly read: () => Queue;
  /** The listener hears of each event that changed something. */
  readonly subscribe: (listener: (event: QueueEvent) => void) => () => void;
}

interface Transfer {
  readonly id: number;
  readonly controller: AbortController;
}

export function openUploads(options: UploadsOptions): Uploads {
  const listeners = new Set<(event: QueueEvent) => void>();
  let queue: Queue = { ...emptyQueue, online: options.isOnline() };
  let transfer: Transfer | undefined;

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
    if (!transfer) return;
    const { id, controller } = transfer;
    const item = itemOf(queue, id);
    if (item?.status === 'uploading') return;
    transfer = undefined;
    controller.abort();
    if (item === undefined || item.status === 'canceled') options.onCancel();
  }

  function sendNext(): void {
    const item = nextItem(queue);
    if (!item || transfer) return;
    const mine: Transfer = { id: item.id, controller: new AbortController() };
    transfer = mine;
    queue = reduceQueue(queue, { type: 'begin', id: item.id, at: options.now() });
    void follow(mine, item);
  }

  async function follow(mine: Transfer, item: QueueItem): Promise<void> {
    const onProgress = (fraction: number) => {
      if (transfer === mine) dispatch({ type: 'progress', id: item.id, fraction, at: options.now() });
    };
    const onHold = (held: boolean) => {
      if (transfer === mine) dispatch({ type: 'hold', id: item.id, held, at: options.now() });
    };
    try {
      const url = await options.send(item.file, { signal: mine.controller.signal, onProgress, onHold });
      end(mine, () => options.onSuccess(item), { type: 'succeed', id: item.id, url });
    } catch (error) {
      fail(mine, item, error);
    }
  }

  function fail(mine: Transfer, item: QueueItem, error: unknown): void {
    // Every other file would meet the same refusal: they wait for the next session.
    if (transfer === mine && options.endedSession(error)) return dispatch({ type: 'stop' });
    const { answered, reason, hint } = options.readError(error);
    if (!answered && transfer === mine) {
      // The request may notice before the browser tells that the connection is gone.
      if (!options.isOnline()) return dispatch({ type: 'connection', online: false });
      const now = itemOf(queue, item.id);
      if (now && !isLost(now)) return dispatch({ type: 'no-response' });
    }
    const failure = { type: 'fail', id: item.id, error: reason ?? 'Upload failed', hint } as const;
    end(mine, () => options.onFailure(item, reason), failure);
  }

  /** A transfer that was dropped has nothing to say any more. */
  function end(mine: Transfer, tell: () => void, event: QueueEvent): void {
    if (transfer !== mine) return;
    transfer = undefined;
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
