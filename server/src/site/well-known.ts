import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import type { Config } from '../config/config.ts';
import { withUnreadBodies } from '../http/bodies.ts';
import { discardBody } from '../http/body-deadlines.ts';
import { sendFailure } from '../http/failures.ts';
import { robotsText } from '../delivery/robots.ts';
import { days } from '../lib/clock.ts';
import { pageFacts } from './page-facts.ts';
import { escapeHtml } from '../lib/escape-html.ts';

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
  serve('/robots.txt', 'text/plain', () => robotsText(context.config.origins.app));
  serve('/sitemap.xml', 'application/xml', () => sitemap(context));
  serve('/site.webmanifest', 'application/manifest+json', () => webManifest(context.config));
  serve('/.well-known/security.txt', 'text/plain', () => securityText(context));
  // W3C: A Well-Known URL for Changing Passwords.
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.header('Cache-Control', 'no-store').redirect('/dashboard/security', 302),
  );
  // Of a browser that has no `share-worker.js` yet. The page says that nothing arrived.
  withUnreadBodies(app, (scope) =>
    scope.post(shareTarget.action, (request, reply) => {
      discardBody(request.raw);
      return reply.header('Cache-Control', 'no-store').redirect('/dashboard?shared', 303);
    }),
  );
}

function sitemap({ config }: Pick<Context, 'config'>): string {
  const paths = [...pageFacts(config).keys()];
  const entries = paths.map((path) => `  <url><loc>${escapeHtml(config.origins.app + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/** W3C: Web Share Target API. */
const shareTarget = {
  action: '/share',
  method: 'POST',
  enctype: 'multipart/form-data',
  params: { files: [{ name: 'files', accept: ['*/*'] }] },
};

const webManifest = ({ site }: Pick<Config, 'site'>): string =>
  JSON.stringify({
    name: site.name,
    short_name: site.name,
    start_url: '/dashboard',
    scope: '/',
    // Browsers pass shared files to installed apps only, and install no app with `browser`.
    display: 'minimal-ui',
    share_target: shareTarget,
    background_color: '#f5fafa',
    theme_color: '#00686a',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  });

/** RFC 9116. Null without a contact. */
function securityText({ config, clock }: Pick<Context, 'config' | 'clock'>): string | null {
  const { contactEmail } = config.site;
  if (contactEmail === null) return null;
  return [
    `Contact: mailto:${encodeURIComponent(contactEmail).replace('%40', '@')}`,
    // Section 2.5.5 recommends less than a year. It is computed for each response, so it never expires.
    `Expires: ${new Date(clock.now() + days(180)).toISOString()}`,
    `Canonical: ${config.origins.app}/.well-known/security.txt`,
    'Preferred-Languages: en',
    '',
  ].join('\n');
}
