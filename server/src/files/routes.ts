import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobCache } from '../delivery/blob-cache.ts';
import { readParts } from '../http/multipart.ts';
import { discardRestOfBody } from '../http/refused-body.ts';
import type { Serve } from '../http/serve.ts';
import { listActivity } from './activity.ts';
import { deleteFiles } from './delete.ts';
import { openEarlyRefusal, surelyFileBytes } from './early-refusal.ts';
import { flipFavorite } from './favorite.ts';
import { filesToGo } from './files-to-go.ts';
import { listFiles } from './list.ts';
import { upload } from './upload.ts';
import { withUploadSlot } from './upload-slots.ts';

/** @param scanSoon is told of an upload whose file waits for its malware scan. */
export function fileRoutes(serve: Serve<Caller>, context: Context, cache: BlobCache, scanSoon: () => void): void {
  serve('upload', async ({ caller, incoming, inviteBody }) => {
    const { account } = caller;
    const length = incoming.headers['content-length'];
    const declaredBytes = length === undefined ? null : Number(length);
    try {
      const { url, isPendingScan } = await withUploadSlot(account.id, async () => {
        await openEarlyRefusal(context, account).size(surelyFileBytes(declaredBytes));
        inviteBody();
        return upload(context, cache, caller, readParts(incoming));
      });
      if (isPendingScan) scanSoon();
      return { url };
    } finally {
      discardRestOfBody(incoming);
    }
  });

  serve('getFileList', async ({ caller, query }) => listFiles(context, caller.account.id, query));

  serve('toggleFavorite', async ({ caller, body }) => ({
    file_info: await flipFavorite(context, caller.account.id, body.file),
  }));

  serve('deleteFiles', async ({ caller, body }) => ({
    deleted: await deleteFiles(context, cache, caller.account.id, body.files),
  }));

  serve('getActivity', async ({ caller, query }) => listActivity(context, caller.account.id, query));

  serve('getFilesToGo', async ({ caller }) => filesToGo(context, caller.account.id));
}
