/** Files that programs look for at well-known addresses of a site. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { sendFailure } from '../http/failures.ts';
import { robotsText } from '../http/robots.ts';
import { securityText } from './security-text.ts';
import { sitemap } from './sitemap.ts';
import { webManifest } from './web-manifest.ts';

export function serveWellKnown(app: FastifyInstance, context: Context): void {
  const serve = (path: string, type: string, write: () => string | null) =>
    app.get(path, (_request, reply) => {
      const text = write();
      if (text === null) return sendFailure(reply, new Failure('NOT_FOUND'));
      return reply
        .headers({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' })
        .type(`${type}; charset=utf-8`)
        .send(text);
    });
  serve('/robots.txt', 'text/plain', () => robotsText(context.origins.app));
  serve('/sitemap.xml', 'application/xml', () => sitemap(context));
  serve('/site.webmanifest', 'application/manifest+json', () => webManifest(context.config));
  serve('/.well-known/security.txt', 'text/plain', () => securityText(context));
  // W3C: A Well-Known URL for Changing Passwords.
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.header('Cache-Control', 'no-store').redirect('/dashboard/security', 302),
  );
}
