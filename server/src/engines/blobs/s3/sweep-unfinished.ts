import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { type BlobId, BlobMissing } from '../blobs.ts';
import type { S3 } from './client.ts';
import { isMissing } from './errors.ts';
import { factsOf } from './read-object.ts';
import type { WriteIntents } from './write-intents.ts';

/**
 * Removes the parts of writes whose process has died, and returns how many there were. A whole object without a blob is
 * left to the sweep of strays: an upload whose commit had no answer may still get its row.
 */
export async function sweepUnfinished(
  s3: S3,
  intents: WriteIntents,
  keyOf: (id: BlobId) => string,
  dryRun: boolean,
): Promise<number> {
  let unfinished = 0;
  const gone: BlobId[] = [];
  for (const id of await intents.abandoned()) {
    const uploads = await uploadsOf(s3, keyOf(id));
    unfinished += uploads.length;
    if (dryRun) continue;
    for (const upload of uploads) await abort(s3, keyOf(id), upload);
    if (!(await isStored(s3, keyOf(id), id))) gone.push(id);
  }
  await intents.forget(gone);
  return unfinished;
}

async function uploadsOf({ ask, place }: S3, key: string): Promise<string[]> {
  const listing = new ListMultipartUploadsCommand({ Bucket: place.bucket, Prefix: key });
  const { Uploads = [] } = await ask((client, abortSignal) => client.send(listing, { abortSignal }));
  return Uploads.flatMap(({ Key, UploadId }) => (Key === key && UploadId !== undefined ? [UploadId] : []));
}

async function abort({ ask, place }: S3, key: string, upload: string): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: place.bucket, Key: key, UploadId: upload });
  try {
    await ask((client, abortSignal) => client.send(command, { abortSignal }));
  } catch (error) {
    // Another process has removed it.
    if (!isMissing(error)) throw error;
  }
}

async function isStored(s3: S3, key: string, id: BlobId): Promise<boolean> {
  try {
    await factsOf(s3, key, id);
    return true;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}
