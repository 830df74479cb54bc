import type { Page } from '@playwright/test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { pageHeading } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, goodPassword, newEmail, signUpAndIn, test as base } from '../harness/test.ts';

type Watched = Awaited<ReturnType<typeof startWatched>>;

/** `watched` is a site whose operator has turned on error reports. */
const test = base.extend<{ watched: Watched }>({
  watched: async ({ keeper }, use) => use(await keeper.run('watched', startWatched)),
});

test.use({ intended: /^Error: (?:the sea rose|nobody is told|refused: |at the reset page|the code was )/ });

async function startWatched(own: AsyncDisposableStack) {
  const ingest = own.use(await startIngest());
  return { ingest, site: own.use(await startSite({ SENTRY_DSN: ingest.dsn })) };
}

/** A loopback server that receives the error reports and keeps them unchanged. */
async function startIngest() {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    // The browser sends a preflight first, because the tests add a header to its requests.
    if (request.method !== 'OPTIONS') received.push(await readText(request));
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    dsn: `http://thepublickey@127.0.0.1:${(server.address() as AddressInfo).port}/42`,
    received,
    itemsOf: (type: string) => received.flatMap((envelope) => readItems(envelope, type)),
    recordings: (): unknown[] =>
      received
        .filter((envelope) => envelope.includes('{"type":"replay_recording"'))
        .map((envelope) => JSON.parse(envelope.trimEnd().split('\n').at(-1) ?? '') as unknown),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** An envelope is a header line, followed by a header line and a line of JSON for each item. */
function readItems(envelope: string, type: string): Record<string, unknown>[] {
  const lines = envelope.split('\n');
  return lines.flatMap((line, at) =>
    at > 0 && line.startsWith('{') && (JSON.parse(line) as { type?: unknown }).type === type
      ? [JSON.parse(lines[at + 1] ?? '') as Record<string, unknown>]
      : [],
  );
}

/** Waits until the session recording has started, which happens shortly after its code has loaded. */
const loaded = (page: Page) => page.waitForFunction(() => sessionStorage.getItem('sentryReplaySession') !== null);

const valuesOf = (events: readonly Record<string, unknown>[]): (string | undefined)[] =>
  events.map(({ exception }) => (exception as { values: { value: string }[] }).values.at(-1)?.value);

function policyProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text());
  });
  return problems;
}

/** Text that was on the page or was typed, without styles. */
function textsIn(recorded: unknown): string[] {
  if (Array.isArray(recorded)) return recorded.flatMap(textsIn);
  if (typeof recorded !== 'object' || recorded === null) return [];
  const { textContent, text, isStyle, ...rest } = recorded as Record<string, unknown>;
  const own = isStyle ? [] : [textContent, text].filter((each) => typeof each === 'string');
  return [...own, ...Object.values(rest).flatMap(textsIn)].filter((each) => each !== 'SCRIPT_PLACEHOLDER');
}

async function throwLater(page: Page, words: string) {
  await page.evaluate(
    (text) =>
      void setTimeout(() => {
        throw new Error(text);
      }),
    words,
  );
}

test('a script of this site reports an uncaught error once, with its recording', async ({
  page,
  watched: { site, ingest },
}) => {
  const problems = policyProblems(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${site.url}/`);
  await loaded(page);
  expect(asked.filter((url) => !url.startsWith(site.url))).toEqual([]);
  await throwLater(page, 'the sea rose');
  await expect.poll(() => ingest.recordings().length, { timeout: 15_000 }).toBeGreaterThan(0);
  expect(valuesOf(ingest.itemsOf('event')).filter((value) => value === 'the sea rose')).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('no report contains a password, a code, a key or a reset link', async ({
  page,
  context,
  watched: { site, ingest },
}) => {
  const { email, apiKey } = await signUpAndIn(site, context);
  await page.goto(`${site.url}/dashboard/account-info`);
  await loaded(page);
  await page.getByText('hf_').first().hover();
  const told = () => valuesOf(ingest.itemsOf('event'));
  await throwLater(page, `refused: ${apiKey}`);
  await expect.poll(told).toContain('refused: hf_…');
  await context.clearCookies();
  const waiting = newEmail();
  await page.goto(`${site.url}/reset-password#key=TheResetKeyOfThisTestIsLongEnoughToBeOne0123`);
  await loaded(page);
  await page.getByLabel('New password', { exact: true }).fill(goodPassword);
  await throwLater(page, 'at the reset page');
  await expect.poll(told).toContain('at the reset page');
  await page.goto(`${site.url}/sign-up`);
  await loaded(page);
  await page.getByLabel('Email', { exact: true }).fill(waiting);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Confirm password', { exact: true }).fill(goodPassword);
  await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click();
  await expect(pageHeading(page)).toHaveText('Verify Email');
  const code = await site.newestCodeFor(waiting);
  await page.getByRole('textbox').first().pressSequentially(code.slice(0, 5));
  await throwLater(page, `the code was ${code}`);
  await expect.poll(told).toContain('the code was …');
  const recorded = () => JSON.stringify(ingest.recordings());
  await expect.poll(() => recorded().includes('/verify-code'), { timeout: 15_000 }).toBe(true);
  const sent = ingest.received.join('\n');
  for (const secret of [apiKey, goodPassword, 'TheResetKeyOfThisTest', code, email, waiting, 'key='])
    expect(sent.includes(secret), secret).toBe(false);
  // The code is shown digit by digit, so all recorded text must consist of asterisks.
  expect(
    ingest
      .recordings()
      .flatMap(textsIn)
      .filter((text) => !/^[\s*]*$/.test(text)),
  ).toEqual([]);
});

test('without SENTRY_DSN no page loads the reporting script or requests another host', async ({ page, site }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/');
  await expect(pageHeading(page)).toBeVisible();
  await throwLater(page, 'nobody is told');
  await page.goto('/sign-in', { waitUntil: 'networkidle' });
  expect(asked.filter((url) => !url.startsWith(site.url) || /sentry/i.test(url))).toEqual([]);
  expect(await page.evaluate(() => '__SENTRY__' in window)).toBe(false);
});
