import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobCache } from '../delivery/blob-cache.ts';
import { readParts } from '../http/multipart.ts';
import { discardRestOfBody } from '../http/refused-body.ts';
import type { Serve } from '../http/serve.ts';
import { deleteFiles } from './delete.ts';
import { flipFavorite } from './favorite.ts';
import { listFiles } from './list.ts';
import { refuseByDeclaredSize } from './space.ts';
import { upload } from './upload.ts';
import { withUploadSlot } from './upload-slots.ts';

export function fileRoutes(serve: Serve<Caller>, context: Context, cache: BlobCache): void {
  serve('upload', async ({ caller, incoming, inviteBody }) => {
    const { account } = caller;
    const length = incoming.headers['content-length'];
    const declaredBytes = length === undefined ? null : Number(length);
    try {
      const url = await withUploadSlot(account.id, () => {
        refuseByDeclaredSize(account, declaredBytes);
        inviteBody();
        return upload(context, caller, readParts(incoming));
      });
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
}
