import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/identify.ts';
import { changeAs } from '../accounts/lock-caller.ts';
import type { Context } from '../context.ts';
import { withUnreadBodies } from '../http/bodies.ts';
import type { Serve } from '../http/serve.ts';
import { listActivity } from './activity.ts';
import { deleteFiles } from './delete.ts';
import { type DeletionAddress, deleteByLink, deletionRoute, showDeletion } from './deletion-page.ts';
import { flipFavorite, setFavorites } from './favorite.ts';
import { evictionFor, evictionPreview } from './evict.ts';
import { getFile } from './get-file.ts';
import { inactivityPreview } from './inactive-files.ts';
import { listFiles } from './list.ts';
import { listDeletedFiles, restoreFiles } from './restore.ts';

export function fileRoutes(serve: Serve<Caller>, context: Context): void {
  serve('getFileList', ({ caller, query }) => listFiles(context, caller.account.id, query));

  serve('toggleFavorite', async ({ caller, body }) => ({
    file_info: await changeAs(context, caller, (tx) => flipFavorite(tx, caller.account.id, body.file)),
  }));

  serve('setFavorites', async ({ caller, body }) => {
    await setFavorites(context, caller, body.files, body.is_favorite);
    return {};
  });

  serve('deleteFiles', async ({ caller, body }) => ({
    deleted: await deleteFiles(context, caller, body.files),
  }));

  serve('restoreFiles', async ({ caller, body }) => ({
    restored: await restoreFiles(context, caller, body.files),
  }));

  serve('getDeletedFiles', ({ caller }) => listDeletedFiles(context, caller.account.id));

  serve('getFile', ({ caller, query }) => getFile(context, caller, query.file));

  serve('getActivity', ({ caller, query }) => listActivity(context, caller.account.id, query));

  serve('getEvictionPreview', ({ caller: { account }, query: { bytes, files } }) =>
    bytes === undefined && files === undefined
      ? evictionPreview(context, account.id)
      : evictionFor(context, account, { bytes: bytes ?? 0, files: files ?? 0 }),
  );

  serve('getInactiveFiles', ({ caller, query }) => inactivityPreview(context, caller.account.id, query.days));
}

export function deletionRoutes(app: FastifyInstance, context: Context): void {
  type Request = FastifyRequest<{ Params: DeletionAddress }>;
  withUnreadBodies(app, (scope) => {
    for (const [method, answer] of [
      ['GET', showDeletion],
      ['POST', deleteByLink],
    ] as const)
      scope.route({
        method,
        url: deletionRoute,
        handler: async ({ params }: Request, reply) => {
          const { status, headers, html } = await answer(context, params);
          return reply.code(status).headers(headers).send(html);
        },
      });
  });
}
