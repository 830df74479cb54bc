import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
} from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import type { S3 } from './client.ts';

/** Names an upload in parts in each request that belongs to it. */
export interface MultipartUpload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

/** Stored with an object, so that two objects of equal bytes can be told apart. */
export const newVersion = (): Record<string, string> => ({ version: randomUUID() });

/**
 * Makes an object of the parts that `send` sends: whole or not at all. `send` has ended all its requests when it ends.
 * `onLeft` is called if parts stay in the store, because they could not be removed.
 */
export async function inParts(
  { ask, place }: S3,
  key: string,
  send: (upload: MultipartUpload) => Promise<CompletedPart[]>,
  onLeft: () => void = () => {},
): Promise<void> {
  const target = { Bucket: place.bucket, Key: key };
  const create = new CreateMultipartUploadCommand({ ...target, Metadata: newVersion() });
  const { UploadId } = await ask((client, abortSignal) => client.send(create, { abortSignal }));
  const upload = { ...target, UploadId };
  try {
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: await send(upload) } });
    await ask((client, abortSignal) => client.send(complete, { abortSignal }), 'transfer');
  } catch (error) {
    const abort = new AbortMultipartUploadCommand(upload);
    await ask((client, abortSignal) => client.send(abort, { abortSignal })).catch(onLeft);
    throw error;
  }
}
