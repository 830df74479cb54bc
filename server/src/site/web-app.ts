import { calls } from '@holdfast/contract/src/calls.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { offerName } from '@holdfast/contract/src/plans.ts';
import { filePagesPath, isFilePage } from '@holdfast/contract/src/pages.ts';
import { type PolicyPath, policyTextPath } from '@holdfast/contract/src/policies.ts';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../config/version.ts';
import type { Context } from '../context.ts';
import { openCookieJar, sessionCookie } from '../http/cookies.ts';
import { sendFailure } from '../http/failures.ts';
import { sitePages } from './page-facts.ts';
import { pageHead } from './page-head.ts';
import { readPageScripts } from './page-scripts.ts';
import { type Policies, readPolicies } from './read-policies.ts';
import { isForSearch } from '../delivery/robots.ts';

const built = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** `dist` has a `.br` and a `.gz` beside each file that compression makes smaller. */
export async function serveWebApp(app: FastifyInstance, context: Context, dist = built): Promise<void> {
  const policies = await readPolicies(context.config);
  servePolicies(app, policies);
  const page = await readPage(context, policies, dist);
  const pages = sitePages(context.config);
  const scriptsOf = await readPageScripts(dist, new Set([...pages, filePagesPath]));
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
    const isFile = isFilePage(path);
    const leadsToSignIn = !mayBeSignedIn && needsSession.test(path);
    const html = (mayBeSignedIn ? page : page.replace(sessionCheck, ''))
      .replace(sessionFact, String(mayBeSignedIn))
      .replace(offersFact, () => JSON.stringify(context.payments.offers.map(offerName)))
      .replace('</head>', () => (mayBeSignedIn ? `${accountPreload}\n</head>` : '</head>'))
      .replace('</head>', () =>
        preloads(scriptsOf(leadsToSignIn ? '/sign-in' : isFile ? filePagesPath : path, mayBeSignedIn)),
      );
    return sendPage(context, policies, html, reply.code(pages.has(path) || isFile ? 200 : 404), path);
  });
}

function servePolicies(app: FastifyInstance, policies: Policies): void {
  for (const [page, policy] of policies)
    app.get(policyTextPath(page as PolicyPath), (_request, reply) =>
      reply
        .headers({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
        .send({ success: true, policy }),
    );
}

async function serveAssets(app: FastifyInstance, dist: string): Promise<void> {
  const options: FastifyStaticOptions = {
    root: join(dist, 'assets'),
    index: false,
    redirect: false,
    preCompressed: true,
    // Runs after all other headers, so it alone sets the cache lifetime.
    setHeaders: (reply, path) =>
      void reply.headers({
        'Cache-Control':
          basename(dirname(path)) === 'assets' ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      }),
  };
  // The static server sets the type of a compressed file after `setHeaders`, and names no charset of SVG.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('Content-Type') === svg) reply.type(`${svg}; charset=utf-8`);
  });
  await app.register(fastifyStatic, { ...options, prefix: '/assets/' });
  for (const name of rootFiles) app.get(`/${name}`, (_request, reply) => reply.sendFile(name, dist));
}

const svg = 'image/svg+xml';

const rootFiles = [
  'theme.js',
  'share-worker.js',
  'favicon.svg',
  'favicon.ico',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'social.png',
  'licenses.txt',
];

/** A new build may delete a file while it is being opened. */
function isNoFile(error: unknown): boolean {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  return code === 'ENOENT' || (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500);
}

async function readPage({ config, log }: Context, policies: Policies, dist: string): Promise<string> {
  const { name, contactEmail, contactChatUrl, dmcaAgent, since, claims, pricing } = config.site;
  const { planChanges, defaultPlan, signUp } = config;
  const facts = {
    name,
    contactEmail,
    contactChatUrl,
    dmcaAgent,
    since,
    claims,
    pricing,
    policyTitles: Object.fromEntries([...policies].map(([path, { title }]) => [path, title])),
    version,
    recaptcha: config.captcha.engine === 'recaptcha',
    offers: 'HOLDFAST_OFFERS',
    fileOrigins: config.origins.files,
    signUp,
    planChanges,
    defaultPlan,
    sentryDsn: config.reports.engine === 'sentry' ? config.reports.dsn : null,
    mayBeSignedIn: 'HOLDFAST_SESSION',
  };
  const site = JSON.stringify(facts);
  try {
    const html = await readFile(join(dist, 'index.html'), 'utf8');
    // Inside a script element only '<' could end the JSON early.
    return html.replace('HOLDFAST_SITE', () => site.replaceAll('<', '\\u003c'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    log.warn('the web app is not built, so only the API is served: run npm run build');
    return '<!doctype html><title>Not built</title><p>The web app is not built. Run <code>npm run build</code>.';
  }
}

/** Placeholders, replaced on each request. Prices can turn out to be wrong while the server runs. */
const sessionFact = '"HOLDFAST_SESSION"';

const offersFact = '"HOLDFAST_OFFERS"';

/** Without a session cookie the app need not check the session. */
const hasSession = ({ config: { origins } }: Context, { headers }: FastifyRequest): boolean =>
  openCookieJar(headers.cookie, origins.app, () => {}).read(sessionCookie) !== undefined;

const sessionCheck = /<!-- checking -->.*<!-- \/checking -->/s;

const needsSession = /^\/dashboard(\/|$)/;

const accountPreload = `  <link rel="preload" as="fetch" crossorigin="use-credentials" href="${calls.getAccountInfo.path}" />`;

const preloads = (scripts: readonly string[]): string =>
  [...scripts.map((file) => `  <link rel="modulepreload" crossorigin href="/${file}" />`), '</head>'].join('\n');

function sendPage(context: Context, policies: Policies, page: string, reply: FastifyReply, path: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers(pageHeaders(context, nonce, path))
    .type('text/html; charset=utf-8')
    .send(page.replace(anyTitle, () => pageHead(context, policies, path)).replaceAll('HOLDFAST_NONCE', nonce));
}

const anyTitle = /<title>[^<]*<\/title>/;

/** Their address or content identifies the user, so they send no Referer. */
const withSecrets = /^\/(reset-password|verify-code)\/*$/i;

const recaptchaSources = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/';

function pageHeaders({ config }: Context, nonce: string, path: string): Record<string, string> {
  const images = config.origins.files.filter((origin) => origin !== config.origins.app).join(' ');
  // The speed test starts with a request to this host, which redirects to the file host.
  const fileHost = config.origins.files[0] === config.origins.app ? '' : ` ${config.origins.files[0]}`;
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
  };
}
