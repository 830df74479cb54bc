import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import type { Serve } from '../http/serve.ts';
import { refuseDeclaredSize } from './upload-limits.ts';
import { readUploadKey } from './idempotency-key.ts';
import { createUploadSlots } from './slots.ts';
import { upload } from './upload.ts';

/** @param scanSoon called after an upload whose file waits for its malware scan. */
export function uploadRoutes(serve: Serve<Caller>, context: Context, memory: BlobMemory, scanSoon: () => void): void {
  const runUpload = createUploadSlots();
  serve('upload', async ({ caller, incoming, form }) => {
    const { account } = caller;
    const length = incoming.headers['content-length'];
    const declaredBytes = length === undefined ? null : Number(length);
    const key = readUploadKey(account.id, incoming.headers[uploadKeyHeader.toLowerCase()]);
    const { url, isPendingScan } = await runUpload(account.id, async () => {
      await refuseDeclaredSize(context, account, key, declaredBytes);
      return upload(context, memory, caller, form.parts, key);
    }).catch((error: unknown) => {
      throw isFull(error) && !context.config.site.pricing ? fullWithoutPlans(error) : error;
    });
    if (isPendingScan) scanSoon();
    return { url };
  });
}

const isFull = (error: unknown): error is Failure => error instanceof Failure && error.code === 'UPLOAD_QUOTA_EXCEEDED';

/** On a site that sells no plans, only the operator can give an account more space. */
const fullWithoutPlans = (cause: Failure) =>
  new Failure('UPLOAD_QUOTA_EXCEEDED', 'Your account is full. Delete files, or ask the operator for more space.', {
    cause,
  });
