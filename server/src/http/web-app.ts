/** The built web app: hashed assets that may be kept for ever, and one page that may not. */
import { calls } from '@holdfast/contract/src/calls.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { pages } from '@holdfast/contract/src/pages.ts';
import { offerName } from '@holdfast/contract/src/plans.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../context.ts';
import { openCookieJar, sessionCookie } from './cookies.ts';
import { sendFailure } from './failures.ts';
import { pageHead } from './page-head.ts';
import { readPageScripts } from './page-scripts.ts';
import { isForSearch } from './robots.ts';

const built = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** `dist` is what the build made, with a `.br` and a `.gz` beside what gets smaller by them. */
export async function serveWebApp(app: FastifyInstance, context: Context, dist = built): Promise<void> {
  const page = await readPage(context, dist);
  const scriptsOf = await readPageScripts(dist);
  await app.register(async (assets) => {
    assets.setErrorHandler((error, _request, reply) => {
      if (isNoFile(error)) return sendFailure(reply, new Failure('NOT_FOUND'));
      throw error;
    });
    await serveAssets(assets, dist);
  });
  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const meant = path.toLowerCase().replace(/\/+$/, '');
    if (path !== meant && pages.has(meant)) return reply.redirect(meant + request.url.slice(path.length), 308);
    const mayBeSignedIn = hasSession(context, request);
    const leadsToSignIn = !mayBeSignedIn && needsSession.test(path);
    const html = (mayBeSignedIn ? page : page.replace(sessionCheck, ''))
      .replace(sessionFact, String(mayBeSignedIn))
      .replace(offersFact, () => JSON.stringify(context.payments.offers.map(offerName)))
      .replace('</head>', () => (mayBeSignedIn ? `${accountPreload}\n</head>` : '</head>'))
      .replace('</head>', () => preloads(scriptsOf(leadsToSignIn ? '/sign-in' : path, mayBeSignedIn)));
    return sendPage(context, html, reply.code(pages.has(path) ? 200 : 404), path);
  });
}

async function serveAssets(app: FastifyInstance, dist: string): Promise<void> {
  const hashed = join(dist, 'assets') + sep;
  await app.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    index: false,
    redirect: false,
    preCompressed: true,
    // For every file, also those below, and after any other header: so it alone decides how long one may be kept.
    setHeaders: (reply, path) =>
      void reply.headers({
        'Cache-Control': path.startsWith(hashed) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        'X-Content-Type-Options': 'nosniff',
      }),
  });
  for (const name of rootFiles) app.get(`/${name}`, (_request, reply) => reply.sendFile(name, dist));
}

/** Files that are asked for by name: from the page's head, or by whoever knows where such files are. */
const rootFiles = [
  'theme.js',
  'favicon.svg',
  'favicon.ico',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'social.png',
];

/** A new build takes the files of the old one away, perhaps while one is opened; and some paths never are a file. */
function isNoFile(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'FST_STATIC_FORBIDDEN_PATH';
}

/** Without a build (only the API is wanted, or a test needs no pages) every page says how to make one. */
async function readPage({ config, log }: Context, dist: string): Promise<string> {
  const { name, contactEmail, contactChatUrl, dmcaAgent } = config.site;
  const recaptcha = config.captcha.engine === 'recaptcha';
  const offers = 'HOLDFAST_OFFERS';
  const sentryDsn = config.reports.engine === 'sentry' ? config.reports.dsn : null;
  const mayBeSignedIn = 'HOLDFAST_SESSION';
  const facts = { name, contactEmail, contactChatUrl, dmcaAgent, recaptcha, offers, sentryDsn, mayBeSignedIn };
  const site = JSON.stringify(facts);
  try {
    const html = await readFile(join(dist, 'index.html'), 'utf8');
    // Inside a script element only '<' could end the JSON early.
    return html.replace('HOLDFAST_SITE', () => site.replaceAll('<', '\\u003c'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    log.warn('the web app is not built, so only the API is served: npm run build makes it');
    return '<!doctype html><title>Not built</title><p>The web app is not built. Run <code>npm run build</code>.';
  }
}

/** Stands in the page's facts until it is asked for: then it is known whether a session came with the request. */
const sessionFact = '"HOLDFAST_SESSION"';

/** What is for sale changes while the server runs, when a price is found to be wrong. */
const offersFact = '"HOLDFAST_OFFERS"';

/** Whether it is still open is for the app to ask. Without one it need not ask at all. */
const hasSession = ({ origins }: Context, { headers }: FastifyRequest): boolean =>
  openCookieJar(headers.cookie, origins.app, () => {}).read(sessionCookie) !== undefined;

/** What is on the screen till the app has loaded and asked; without a session there is nothing to check. */
const sessionCheck = /<!-- checking -->.*<!-- \/checking -->/s;

/** Whoever asks for one of these without a session is led to sign in. */
const needsSession = /^\/dashboard(\/|$)/;

/** What every page of whoever has a session waits for, asked for beside the scripts and not after them. */
const accountPreload = `  <link rel="preload" as="fetch" crossorigin="use-credentials" href="${calls.getAccountInfo.path}" />`;

const preloads = (scripts: readonly string[]): string =>
  [...scripts.map((file) => `  <link rel="modulepreload" crossorigin href="/${file}" />`), '</head>'].join('\n');

function sendPage(context: Context, page: string, reply: FastifyReply, path: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers(pageHeaders(context, nonce, path))
    .type('text/html; charset=utf-8')
    .send(page.replace(anyTitle, () => pageHead(context, path)).replaceAll('HOLDFAST_NONCE', nonce));
}

/** The title that the build leaves is everybody's; the server knows the page's own, and what belongs beside it. */
const anyTitle = /<title>[^<]*<\/title>/;

/** Their addresses or what is on them prove who somebody is, so they go to no other server. */
const withSecrets = /^\/(reset-password|verify-code)\/*$/i;

const recaptchaSources = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/';

function pageHeaders({ origins, config }: Context, nonce: string, path: string): Record<string, string> {
  const images = origins.files.filter((origin) => origin !== origins.app).join(' ');
  // The speed test is asked for here, and led on to where files are.
  const fileHost = origins.files[0] === origins.app ? '' : ` ${origins.files[0]}`;
  const withRecaptcha = config.captcha.engine === 'recaptcha';
  const recaptcha = withRecaptcha ? ` ${recaptchaSources}` : '';
  const reports = config.reports.engine === 'sentry' ? ` ${config.reports.origin}` : '';
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self'${recaptcha}`,
      `style-src 'self' 'nonce-${nonce}'`,
      `img-src 'self' data: ${images}`.trim(),
      "font-src 'self'",
      `connect-src 'self'${fileHost}${recaptcha}${reports}`,
      ...(withRecaptcha ? [`frame-src${recaptcha}`] : []),
      "worker-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(!isForSearch(path) && { 'X-Robots-Tag': 'noindex' }),
    'Referrer-Policy': withSecrets.test(path) ? 'no-referrer' : 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(config.publicUrl?.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
