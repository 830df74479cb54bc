/**
 * Explains why an upload attempt returned no link. This is the only place that distinguishes the causes of a failure.
 */
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import type { UploadPause } from './queue.ts';
import { rowTexts } from './queue-texts.ts';

export type Setback =
  /** The file cannot be uploaded as it is. */
  | {
      readonly kind: 'refused';
      readonly reason: string | undefined;
      /** True if an earlier attempt stored the file and it has been deleted since. */
      readonly deleted?: boolean;
      /** True if no other attempt can have another outcome. */
      readonly refused?: boolean;
    }
  /** The session is over, or belongs to another account. The user has already been informed. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'offline' }
  /**
   * There was no response of the server: none at all, or one of a proxy. Or the server is not ready, or limits uploads.
   * `lost`: another call gets a response, so the connection and the server work.
   */
  | ({ readonly kind: 'wait' } & UploadPause);

export interface Surroundings {
  readonly isOnline: () => boolean;
  readonly noticeSessionEnd: (error: unknown) => boolean;
  readonly isAnswering: () => Promise<boolean>;
}

export async function explainSetback(error: unknown, file: File, around: Surroundings): Promise<Setback> {
  if (around.noticeSessionEnd(error)) return { kind: 'signed-out' };
  if (!(error instanceof CallFailed)) return { kind: 'refused', reason: undefined };
  if (error.problem !== 'no-response') return explainAnswer(error, around);
  // The request may fail before the browser reports that the connection is gone.
  if (!around.isOnline()) return { kind: 'offline' };
  // Browsers abort the upload of a file that they cannot read without an error message, exactly as they do when a connection breaks.
  if (!(await isReadable(file))) return { kind: 'refused', reason: rowTexts.unreadable };
  return { kind: 'wait', trouble: 'no-response', lost: await around.isAnswering() };
}

async function explainAnswer(error: CallFailed, { isAnswering }: Surroundings): Promise<Setback> {
  const { problem, status, serverMessage, retryAfterSeconds } = error;
  const isOfProxy = async () => problem === 'unreadable' && (await isAnswering());
  // Other files go first, until that one has stopped or fallen silent.
  if (status === 423) return { kind: 'wait', trouble: 'elsewhere', lost: true, retryAfterSeconds };
  if (status === 429) return { kind: 'wait', trouble: 'busy', lost: await isOfProxy(), retryAfterSeconds };
  if (isAway(error)) {
    // The server's own 503 is about its database, not about the file.
    const lost = await isOfProxy();
    return { kind: 'wait', trouble: 'away', lost, retryAfterSeconds: lost ? undefined : retryAfterSeconds };
  }
  // The server's messages for the next two cases are meant for programs: they refer to the key that the page sends with
  // each attempt.
  if (status === 410) {
    return {
      kind: 'refused',
      reason: rowTexts.deletedSince,
      deleted: true,
    };
  }
  if (status === 404) return { kind: 'refused', reason: rowTexts.expired };
  if (status === 460) return { kind: 'refused', reason: rowTexts.damaged };
  // What the account lacks may be had.
  const isFinal = [413, 415, 422].includes(status) && !serverMessage?.startsWith('Your account');
  if (status === 422 && serverMessage?.includes(uploadKeyHeader))
    return { kind: 'refused', reason: rowTexts.changed, refused: true };
  const reason = serverMessage ?? (error.problem === 'unreadable' ? error.message : undefined);
  return { kind: 'refused', reason, ...(isFinal && { refused: true }) };
}

/**
 * Bad gateway, unavailable and gateway timeout, from the server or a proxy, and any response that is not in the API's
 * format, such as a maintenance page. Only a proxy's 413 is about the file.
 */
const isAway = ({ problem, status }: CallFailed): boolean =>
  [502, 503, 504].includes(status) || (problem === 'unreadable' && status !== 413);

/** Browsers refuse to read a file that is gone, has changed since it was chosen, or may not be read. */
async function isReadable(file: File): Promise<boolean> {
  // A slice of an empty file is read without accessing the disk.
  const sample = file.size === 0 ? file : file.slice(0, 1);
  try {
    await sample.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
