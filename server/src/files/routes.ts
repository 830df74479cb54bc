import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import { readParts } from '../http/multipart.ts';
import { discardRestOfBody } from '../http/refused-body.ts';
import { sendFile } from '../http/send-file.ts';
import type { Serve } from '../http/serve.ts';
import { deleteFiles } from './delete.ts';
import { findDownload } from './download.ts';
import { flipFavorite } from './favorite.ts';
import { digestHeaders, fileHeaders, publicHeaders } from './file-headers.ts';
import type { HitCounter } from './hits.ts';
import { listFiles } from './list.ts';
import { refuseByDeclaredSize } from './space.ts';
import { upload } from './upload.ts';
import { withUploadSlot } from './upload-slots.ts';

export function fileRoutes(serve: Serve<Caller>, app: FastifyInstance, context: Context, hits: HitCounter): void {
  serve('upload', async ({ caller: { account }, incoming, inviteBody }) => {
    const length = incoming.headers['content-length'];
    const declaredBytes = length === undefined ? null : Number(length);
    try {
      const url = await withUploadSlot(account.id, () => {
        refuseByDeclaredSize(account, declaredBytes);
        inviteBody();
        return upload(context, account, readParts(incoming));
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
    deleted: await deleteFiles(context, caller.account.id, body.files),
  }));

  type FileRequest = FastifyRequest<{ Params: { target: string }; Querystring: Record<string, unknown> }>;
  const download = async (request: FileRequest, reply: FastifyReply) => {
    const found = await findDownload(context, request.params.target);
    if (found.kind === 'not-found') return sendNoSuchFile(request, reply);
    if (found.kind === 'digest') return reply.headers(digestHeaders).send(found.text);
    const counted = request.query['no-count'] !== 'true';
    return sendFile(request, reply, {
      size: found.size,
      headers: fileHeaders(found),
      read: () => context.blobs.read(found.blobId, 0, found.size - 1),
      onFirstByte: () => void (counted && hits.note(found.id)),
    });
  };
  // Both methods by name: the framework's own HEAD would replace the length of a body that it does not see.
  app.get('/file/:target', { exposeHeadRoute: false }, download);
  app.head('/file/:target', download);
  app.get('/file/*', sendNoSuchFile);
}

async function sendNoSuchFile(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(404).headers(publicHeaders).type('text/plain; charset=utf-8').send('There is no such file.\n');
}
