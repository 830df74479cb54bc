/** The built web app: hashed assets that may be kept for ever, and one page that may not. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { pages } from '@holdfast/contract/src/pages.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../context.ts';
import { sendFailure } from './failures.ts';

const built = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** `dist` is what the build made, with a `.br` and a `.gz` beside what gets smaller by them. */
export async function serveWebApp(app: FastifyInstance, context: Context, dist = built): Promise<void> {
  const page = await readPage(context, dist);
  await app.register(async (assets) => {
    assets.setErrorHandler((error, _request, reply) => {
      if (isNoFile(error)) return sendFailure(reply, new Failure('NOT_FOUND'));
      throw error;
    });
    await serveAssets(assets, dist);
  });
  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    return sendPage(context, page, reply.code(pages.has(path) ? 200 : 404), path);
  });
}

async function serveAssets(app: FastifyInstance, dist: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    index: false,
    redirect: false,
    preCompressed: true,
    setHeaders: (reply) =>
      void reply.headers({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
      }),
  });
  for (const name of ['favicon.svg', 'theme.js']) {
    app.get(`/${name}`, (_request, reply) =>
      reply.header('X-Content-Type-Options', 'nosniff').sendFile(name, dist, { maxAge: 3_600_000, immutable: false }),
    );
  }
}

/** A new build takes the files of the old one away, perhaps while one is opened; and some paths never are a file. */
function isNoFile(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'FST_STATIC_FORBIDDEN_PATH';
}

/** Without a build (only the API is wanted, or a test needs no pages) every page says how to make one. */
async function readPage({ config, log }: Context, dist: string): Promise<string> {
  const { name, contactEmail, contactChatUrl } = config.site;
  const site = JSON.stringify({ name, contactEmail, contactChatUrl });
  try {
    const html = await readFile(join(dist, 'index.html'), 'utf8');
    // Inside a script element only '<' could end the JSON early.
    return html
      .replaceAll('HOLDFAST_NAME', escapeHtml(name))
      .replace('HOLDFAST_SITE', () => site.replaceAll('<', '\\u003c'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    log.warn('the web app is not built, so only the API is served: npm run build makes it');
    return '<!doctype html><title>Not built</title><p>The web app is not built. Run <code>npm run build</code>.';
  }
}

function sendPage(context: Context, page: string, reply: FastifyReply, path: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers(pageHeaders(context, nonce, path))
    .type('text/html; charset=utf-8')
    .send(page.replaceAll('HOLDFAST_NONCE', nonce));
}

/** Their addresses or what is on them prove who somebody is, so they go to no other server. */
const withSecrets = /^\/(reset-password|verify-code)\/*$/i;

const recaptchaSources = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/';

function pageHeaders({ origins, config }: Context, nonce: string, path: string): Record<string, string> {
  const images = origins.files.filter((origin) => origin !== origins.app).join(' ');
  const withRecaptcha = config.captcha.engine === 'recaptcha';
  const recaptcha = withRecaptcha ? ` ${recaptchaSources}` : '';
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self'${recaptcha}`,
      `style-src 'self' 'nonce-${nonce}'`,
      `img-src 'self' data: ${images}`.trim(),
      "font-src 'self'",
      `connect-src 'self'${recaptcha}`,
      ...(withRecaptcha ? [`frame-src${recaptcha}`] : []),
      "worker-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': withSecrets.test(path) ? 'no-referrer' : 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(config.publicUrl?.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
