import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobMemory } from '../engines/blobs/blob-memory.ts';
import { readParts } from '../http/multipart.ts';
import type { Serve } from '../http/serve.ts';
import { refuseDeclaredSize } from './upload-limits.ts';
import { readUploadKey } from './idempotency-key.ts';
import { isFilePart } from './receive-form.ts';
import { withUploadSlot } from './slots.ts';
import { upload } from './upload.ts';

/** @param scanSoon called after an upload whose file waits for its malware scan. */
export function uploadRoutes(serve: Serve<Caller>, context: Context, memory: BlobMemory, scanSoon: () => void): void {
  serve('upload', async ({ caller, incoming, inviteBody }) => {
    const { account } = caller;
    const length = incoming.headers['content-length'];
    const declaredBytes = length === undefined ? null : Number(length);
    const key = readUploadKey(account.id, incoming.headers[uploadKeyHeader.toLowerCase()]);
    const { url, isPendingScan } = await withUploadSlot(account.id, async () => {
      await refuseDeclaredSize(context, account, key, declaredBytes);
      inviteBody();
      return upload(context, memory, caller, readParts(incoming, isFilePart), key);
    });
    if (isPendingScan) scanSoon();
    return { url };
  });
}
