/** One file of the upload queue: each function returns the item as it is after an event. */
import type { Evicted } from '@holdfast/contract/src/activity.ts';
import { rowTexts } from './queue-texts.ts';

export type UploadStatus = 'pending' | 'uploading' | 'success' | 'error' | 'canceled';

export interface QueueItem {
  readonly id: number;
  readonly file: File;
  readonly status: UploadStatus;
  /** Number of the press of 'Upload Files' that started the file; 0 until then. */
  readonly batch: number;
  /** Fraction that has been sent, from 0 to 1. */
  readonly progress: number;
  readonly speed: number | undefined;
  readonly measuredAt: number;
  readonly stalled: boolean;
  readonly url: string;
  readonly error: string;
  readonly hint: string;
  /** What Continuous Uploading deleted for it. */
  readonly evicted?: Evicted | undefined;
  /** The server refuses this file however often it is sent. */
  readonly refused: boolean;
  /** An earlier attempt sent all of the file, and its outcome is unknown. */
  readonly sentInFull: boolean;
  /** It is sent in pieces, and another attempt goes on where this one stops. */
  readonly resumes: boolean;
  /** Fraction that the server has, as far as it has said so. */
  readonly arrived: number;
  /** Number of attempts without a response of the server, although it responded to another call. */
  readonly lost: number;
  /** Number of times the file was stored and then deleted. Each storing is a separate upload. */
  readonly deletions: number;
}

/**
 * The reason why no attempt succeeds: no response, an unavailable server, one that limits uploads, or another browser that
 * sends the same upload.
 */
export type UploadTrouble = 'no-response' | 'away' | 'busy' | 'elsewhere';

export interface UploadFailure {
  readonly error: string;
  readonly hint?: string | undefined;
  readonly deleted?: boolean | undefined;
  readonly refused?: boolean | undefined;
  /** No attempt got a response of the server, so that the file may be stored. */
  readonly unanswered?: boolean | undefined;
}

export const unsent = {
  progress: 0,
  speed: undefined,
  stalled: false,
  url: '',
  error: '',
  hint: '',
  refused: false,
} as const;

/** A smaller file is sent whole. */
const wholeUpTo = 50_000_000;

export const newItem = (file: File, { id, batch }: Pick<QueueItem, 'id' | 'batch'>): QueueItem => ({
  id,
  file,
  status: 'pending',
  batch,
  measuredAt: 0,
  sentInFull: false,
  resumes: file.size > wholeUpTo,
  arrived: 0,
  lost: 0,
  deletions: 0,
  ...unsent,
});

export const sentOf = (item: QueueItem): number => (item.status === 'success' ? 1 : item.progress);

const smoothing = 0.2;
const updateEveryMs = 250;

/** Returns the item with updated progress and speed, or the same item if it is too early for an update. */
export function measure(item: QueueItem, fraction: number, at: number): QueueItem {
  const elapsed = at - item.measuredAt;
  const done = fraction >= 1;
  if (fraction <= item.progress || (elapsed < updateEveryMs && !done)) return item;
  const progress = Math.min(1, fraction);
  const reading = ((progress - item.progress) * item.file.size) / (elapsed / 1000);
  return {
    ...item,
    progress,
    stalled: false,
    measuredAt: at,
    speed: elapsed > 0 ? smooth(item.speed, reading) : item.speed,
  };
}

export const smooth = (speed: number | undefined, reading: number): number =>
  speed === undefined ? reading : speed + smoothing * (reading - speed);

/** Eight attempts take a minute and a half: of several servers behind a proxy, one may be starting again. */
const tries = { 'no-response': 3, away: 8, busy: Infinity, elsewhere: Infinity } as const satisfies Record<
  UploadTrouble,
  number
>;

/** After this attempt the file itself counts as the cause, so that the other files need not wait for it. */
export const isLastTry = (item: QueueItem, trouble: UploadTrouble): boolean => item.lost + 1 >= tries[trouble];

/** If the whole file was sent, only the response may have been lost. */
export const mayBeStored = ({ status, sentInFull, progress }: QueueItem): boolean =>
  sentInFull || (status === 'uploading' && progress >= 1);

export function fail(
  item: QueueItem,
  { error, hint = '', deleted = false, refused = false, unanswered = false }: UploadFailure,
): QueueItem {
  const sentInFull = unanswered && mayBeStored(item);
  return { ...item, status: 'error', error, hint, deletions: item.deletions + (deleted ? 1 : 0), refused, sentInFull };
}

export function cancel(item: QueueItem): QueueItem {
  const sentInFull = mayBeStored(item);
  const hint = sentInFull ? rowTexts.sentInFull : '';
  return { ...item, status: 'canceled', error: rowTexts.canceled, hint, sentInFull };
}

export const isMoving = (item: QueueItem): boolean => item.status === 'uploading' && item.speed !== undefined;

export const takeBack = (item: QueueItem): QueueItem =>
  item.status === 'uploading' ? { ...restart(item), status: 'pending', ...afterBreak(item) } : item;

/** What has arrived of a file that resumes stays there. */
export const restart = (item: QueueItem): QueueItem => ({
  ...item,
  ...unsent,
  progress: item.resumes ? item.progress : 0,
});

/** A file of which a broken connection loses no more than this is sent whole again. */
const lossUpTo = 1_000_000;

/** While the server stores a small file, the next one is sent. */
export const letsNextGo = ({ file, progress }: QueueItem): boolean => file.size <= lossUpTo && progress >= 1;

/** One that may be stored is sent the same way again, so that it is stored once. */
function afterBreak(item: QueueItem): Pick<QueueItem, 'sentInFull' | 'resumes'> {
  const sentInFull = mayBeStored(item);
  return { sentInFull, resumes: item.resumes || (!sentInFull && item.file.size * item.progress > lossUpTo) };
}

export const isOpen = (item: QueueItem): boolean => item.status === 'pending' || item.status === 'uploading';
/** Ended without a link. */
const isStuck = (item: QueueItem): boolean => item.status === 'error' || item.status === 'canceled';
export const canRetry = (item: QueueItem): boolean => isStuck(item) && !item.refused;
