/** What the errors of an S3 store mean. */
import { S3ServiceException } from '@aws-sdk/client-s3';
import { BlobsUnavailable, StorageFull } from '../blobs.ts';

/** Returns the status of the store's response; undefined if there was none. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

/** Returns whether a store that works has refused the request. */
export const isAnswered = (error: unknown): boolean => (statusOf(error) ?? 500) < 500;

/** Returns whether there is no such object; a HEAD has no body that says so. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** As AWS, Ceph and MinIO call a bucket or a store without space. */
const fullNames: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull']);

/** Returns a failed request as an error of the port, or as it is if the store refused this request alone. */
export function asBlobError(error: unknown): unknown {
  if (error instanceof BlobsUnavailable) return error;
  const status = statusOf(error);
  if (error instanceof S3ServiceException && (status === 507 || fullNames.has(error.name)))
    return new StorageFull(error);
  if (status !== undefined && status < 500 && status !== 403 && status !== 429) return error;
  return new BlobsUnavailable('The S3 store cannot serve a request', error);
}
