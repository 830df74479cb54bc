import { openApiOf } from '@holdfast/contract/src/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Origins } from '../config/origins.ts';
import { judgeConditions } from '../delivery/conditions.ts';
import { anyOrigin } from '../http/response-headers.ts';

export function serveOpenApi(app: FastifyInstance, context: Context): void {
  const documentFor = createDocuments(context);
  app.get('/openapi.json', (request, reply) => {
    const { bytes, etag } = documentFor(context.config.origins);
    reply.headers({ ...headers, ETag: etag });
    // The document has no modification time, so only tags count.
    const verdict = judgeConditions({ 'if-none-match': request.headers['if-none-match'] }, { etag, lastModified: 0 });
    if (verdict === 'not-modified') return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(bytes);
  });
}

function createDocuments({ config }: Context) {
  let made: { readonly origins: Origins; readonly bytes: Buffer; readonly etag: string } | undefined;
  return (origins: Origins) => {
    if (made?.origins === origins) return made;
    const { app, files } = origins;
    const bytes = Buffer.from(
      JSON.stringify(openApiOf({ name: config.site.name, email: config.site.contactEmail, app, files })),
    );
    made = { origins, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
    return made;
  };
}

const headers = {
  'Cache-Control': 'public, max-age=300',
  ...anyOrigin,
  'Access-Control-Expose-Headers': 'ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
