import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage } from 'node:http';
import { QueueFull } from '../lib/semaphore.ts';
import { createSerialize } from '../lib/serialize.ts';
import { clientSignal } from './client-signal.ts';

/** While the database does not respond, those that wait are refused like those that ask it. */
const longestWaitMs = 4_000;

/** Calls that may read all files of an account. */
const longReads: ReadonlySet<Endpoint> = new Set<Endpoint>([
  endpoints.getFileList,
  endpoints.getActivity,
  endpoints.getEvictionPreview,
  endpoints.getInactiveFiles,
]);

/**
 * Runs two long reads of an account at a time, so that it leaves threads and connections to others, four uploads, and its
 * changes one after the other: each locks the row of the account, and those waiting for a lock hold a connection. An
 * upload waits until its turn comes or its client disconnects.
 */
export function createAccountQueues() {
  const reads = createSerialize(2, 16);
  const uploads = createSerialize(4, 100);
  // The sessions of an account may make 128 calls at once.
  const changes = createSerialize(1, 128);
  const queueOf = (endpoint: Endpoint) => {
    if (endpoint.bodyType === 'multipart') return uploads;
    if (endpoint.method !== 'GET') return changes;
    return longReads.has(endpoint) ? reads : null;
  };
  return async <T>(
    accountId: string,
    endpoint: Endpoint,
    work: () => Promise<T>,
    incoming: IncomingMessage,
  ): Promise<T> => {
    const queue = queueOf(endpoint);
    if (!queue) return work();
    const isUpload = queue === uploads;
    let hasBegun = false;
    // The connection of an upload that waits is silent, because its body is not read.
    const { socket } = incoming;
    const longestSilence = socket.timeout ?? 0;
    if (isUpload) socket.setTimeout(0);
    const begin = () => {
      hasBegun = true;
      if (isUpload) socket.setTimeout(longestSilence);
      return work();
    };
    try {
      return await queue(accountId, begin, isUpload ? clientSignal(incoming) : AbortSignal.timeout(longestWaitMs));
    } catch (error) {
      if (hasBegun) throw error;
      if (isUpload) socket.setTimeout(longestSilence);
      if (error instanceof QueueFull) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: 1 });
      throw new Failure(isUpload ? 'UPLOAD_INTERRUPTED' : 'UNAVAILABLE', undefined, { cause: error });
    }
  };
}
