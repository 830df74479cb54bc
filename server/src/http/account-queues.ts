import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage } from 'node:http';
import { QueueFull } from '../lib/semaphore.ts';
import { createSerialize } from '../lib/serialize.ts';
import { clientSignal } from './connections.ts';
import { atOnce } from './rate-limits.ts';
import { isStream } from './serve.ts';

const longestWaitMs = 4_000;
/** The web app takes 45 seconds without a byte for a dead connection, and a script waits as long as it wants. */
const browserWaitMs = 30_000;

const longReads: ReadonlySet<Endpoint> = new Set<Endpoint>([
  endpoints.getFileList,
  endpoints.getActivity,
  endpoints.getEvictionPreview,
  endpoints.getInactiveFiles,
]);

/**
 * Leaves threads and connections to other accounts. Changes lock the account's row, so they take turns, and reads do not
 * wait for them. An upload waits until its turn comes or its client disconnects, and one of a browser for 30 seconds.
 */
export function createAccountQueues(browserWait = () => AbortSignal.timeout(browserWaitMs)) {
  const uploads = createSerialize(...atOnce.uploads);
  const changes = createSerialize(...atOnce.changes);
  const reads = createSerialize(...atOnce.longReads);
  return async <T>(
    accountId: string,
    endpoint: Endpoint,
    work: () => Promise<T>,
    incoming: IncomingMessage,
    isBrowser = false,
  ): Promise<T> => {
    if (endpoint.method === 'HEAD' || (endpoint.method === 'GET' && !longReads.has(endpoint))) return work();
    const isUpload = isStream(endpoint);
    const queue = isUpload ? uploads : endpoint.method === 'GET' ? reads : changes;
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
    const client = isUpload ? clientSignal(incoming) : AbortSignal.timeout(longestWaitMs);
    try {
      return await queue(accountId, begin, isUpload && isBrowser ? AbortSignal.any([client, browserWait()]) : client);
    } catch (error) {
      if (hasBegun) throw error;
      if (isUpload) socket.setTimeout(longestSilence);
      const isClientWaiting = isUpload && !client.aborted;
      if (isClientWaiting || error instanceof QueueFull)
        throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: 1 });
      throw new Failure(isUpload ? 'UPLOAD_INTERRUPTED' : 'UNAVAILABLE', undefined, { cause: error });
    }
  };
}
