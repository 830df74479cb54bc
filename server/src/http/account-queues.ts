import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { QueueFull } from '../lib/semaphore.ts';
import { createSerialize } from '../lib/serialize.ts';

const mostReadsWaiting = 16;
/** The sessions of an account may make 128 calls at once. */
const mostChangesWaiting = 128;
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
 * Runs two long reads of an account at a time, so that it leaves threads and connections to others, and its changes one
 * after the other: each locks the row of the account, and those waiting for a lock hold a connection. Uploads have a limit
 * of their own.
 */
export function createAccountQueues() {
  const reads = createSerialize(2, mostReadsWaiting);
  const changes = createSerialize(1, mostChangesWaiting);
  return async <T>(accountId: string, endpoint: Endpoint, work: () => Promise<T>): Promise<T> => {
    const isChange = endpoint.method !== 'GET' && endpoint.bodyType !== 'multipart';
    if (!isChange && !longReads.has(endpoint)) return work();
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return work();
    };
    try {
      return await (isChange ? changes : reads)(accountId, begin, AbortSignal.timeout(longestWaitMs));
    } catch (error) {
      if (hasBegun) throw error;
      if (error instanceof QueueFull) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: 1 });
      throw new Failure('UNAVAILABLE', undefined, { cause: error });
    }
  };
}
