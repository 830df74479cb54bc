import { pages } from '@holdfast/contract/src/pages.ts';
import { expect } from 'vitest';
import { days } from '../../src/lib/clock.ts';
import { call } from '../harness/calls.ts';
import { openLine } from '../harness/raw-http.ts';
import { startServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const operated = {
  PUBLIC_URL: 'https://kelp.example',
  SITE_NAME: 'Kelp & Co',
  CONTACT_EMAIL: 'ada+hole@kelp.example',
};

const bots = [
  'User-agent: Discordbot',
  'User-agent: Slackbot',
  'User-agent: Slackbot-LinkExpanding',
  'User-agent: Slack-ImgProxy',
  'User-agent: Twitterbot',
  'User-agent: TelegramBot',
  'User-agent: facebookexternalhit',
  'User-agent: WhatsApp',
  'User-agent: LinkedInBot',
  'User-agent: SkypeUriPreview',
  'User-agent: Synapse',
  'User-agent: Mastodon',
  'User-agent: Mattermost-Bot',
  'User-agent: ZulipURLPreview',
  'User-agent: Viber',
  'User-agent: kakaotalk-scrap',
  'User-agent: redditbot',
  'User-agent: Iframely',
];

test('robots.txt excludes calls, the dashboard and the speed test, and files except for previews', async () => {
  await using server = await startServer(operated);
  const answer = await call(server, '/robots.txt');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.text.split('\n')).toEqual([
    ...bots,
    'Allow: /file/',
    'Disallow: /api/',
    'Disallow: /dashboard',
    'Disallow: /speed-test/250MB.bin',
    '',
    'User-agent: *',
    'Disallow: /file/',
    'Disallow: /api/',
    'Disallow: /dashboard',
    'Disallow: /speed-test/250MB.bin',
    '',
    'Sitemap: https://kelp.example/sitemap.xml',
    '',
  ]);
});

test.each(['GET', 'HEAD'])(
  'a host of files excludes crawlers from everything except previews, by %s',
  async (method) => {
    await using server = await startServer({ ...operated, FILE_ORIGINS: 'https://files.kelp.example' });
    using line = openLine(server);
    const answer = await line.send(method, '/robots.txt', { Host: 'files.kelp.example' });
    expect(answer.status).toBe(200);
    const text = [...bots, 'Allow: /file/', 'Disallow: /', '', 'User-agent: *', 'Disallow: /', ''].join('\n');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(text.length),
    });
    expect(answer.text).toBe(method === 'GET' ? text : '');
    expect(await line.send('POST', '/robots.txt', { Host: 'files.kelp.example' })).toMatchObject({ status: 404 });
    for (const path of ['/sitemap.xml', '/.well-known/security.txt'])
      expect(await line.send(method, path, { Host: 'files.kelp.example' })).toMatchObject({ status: 404 });
  },
);

test('every public page is in the sitemap, with its own title and description', async () => {
  await using server = await startServer(operated);
  const map = (await call(server, '/sitemap.xml')).text;
  const titles = new Set<string>();
  for (const path of pages) {
    const { headers, text } = await call(server, path);
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(text) ?? [];
    expect(title, path).toContain('Kelp &amp; Co');
    const forStrangers = !/dashboard|verify|forget|reset/.test(path);
    expect(map.includes(`<loc>https://kelp.example${path}</loc>`), path).toBe(forStrangers);
    if (!forStrangers) continue;
    titles.add(title);
    expect(text, path).toMatch(/<meta name="description" content="[^"]{20,160}" \/>/);
    expect(text, path).toContain(`<link rel="canonical" href="https://kelp.example${path}" />`);
    expect(text, path).toContain(`<meta property="og:url" content="https://kelp.example${path}" />`);
    expect(text, path).toContain('<meta property="og:image" content="https://kelp.example/icon-512.png" />');
    expect(headers.get('x-robots-tag'), path).toBeNull();
  }
  expect(titles.size).toBe([...pages].filter((path) => map.includes(`example${path}</loc>`)).length);
});

test.each([
  '/dashboard',
  '/dashboard/security',
  '/dashboard/no/such/page',
  '/verify-code',
  '/forget-password',
  '/reset-password?key=kelp',
])('%s is excluded from search engines', async (path) => {
  await using server = await startServer(operated);
  const { headers, text } = await call(server, path);
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(text).toMatch(/<meta name="description" content="[^"]{20,160}" \/>/);
  expect(text).not.toMatch(/canonical|og:/);
});

test('security.txt names the contact for vulnerability reports, and an expiry within a year', async () => {
  await using server = await startServer(operated);
  server.clock.advance(days(400));
  const answer = await call(server, '/.well-known/security.txt');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const fields = new Map(
    answer.text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2) as [string, string]),
  );
  expect([...fields.keys()]).toEqual(['Contact', 'Expires', 'Canonical', 'Preferred-Languages']);
  expect(fields.get('Contact')).toBe('mailto:ada%2Bhole@kelp.example');
  expect(fields.get('Canonical')).toBe('https://kelp.example/.well-known/security.txt');
  const left = Date.parse(fields.get('Expires') ?? '') - server.context.clock.now();
  expect(left).toBeGreaterThan(days(100));
  expect(left).toBeLessThan(days(365));
});

test('an operator without a contact address has no security.txt', async ({ server }) => {
  expect((await call(server, '/.well-known/security.txt')).status).toBe(404);
});

test('password managers are redirected to the page where a password is changed', async ({ server }) => {
  using line = openLine(server);
  const answer = await line.send('GET', '/.well-known/change-password', { Host: new URL(server.url).host });
  expect(answer).toMatchObject({ status: 302, headers: { location: '/dashboard/security' } });
  expect(pages.has('/dashboard/security')).toBe(true);
});

test('the web manifest contains the name of the site', async () => {
  await using server = await startServer(operated);
  const answer = await call(server, '/site.webmanifest');
  expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  expect(answer.json).toMatchObject({ name: 'Kelp & Co', start_url: '/dashboard', scope: '/' });
});

test('files that arrive without the share worker are discarded, and their sender is led to the upload page', async ({
  server,
}) => {
  const { share_target: target } = (await call(server, '/site.webmanifest')).json as {
    share_target: { action: string };
  };
  expect(target).toMatchObject({ action: '/share', method: 'POST', enctype: 'multipart/form-data' });
  const body = new FormData();
  body.append('files', new Blob([new Uint8Array(1_000_000)]), 'photo.jpg');
  const answer = await fetch(server.url + target.action, { method: 'POST', body, redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard?shared']);
});
