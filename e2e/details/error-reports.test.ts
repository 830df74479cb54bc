import type { Page } from '@playwright/test';
import { type Ingest, startIngest } from '../harness/ingest.ts';
import { pageHeading } from '../harness/screen.ts';
import { type Site, startSite } from '../harness/site.ts';
import { expect, goodPassword, newEmail, signUpAndIn, test as base } from '../harness/test.ts';

interface Watched {
  readonly site: Site;
  readonly ingest: Ingest;
}

/** `watched` is a site whose operator has turned on error reports. */
const test = base.extend<{ watched: Watched }>({
  watched: async ({ keeper }, use) => use(await keeper.run('watched', startWatched)),
});

async function startWatched(own: AsyncDisposableStack): Promise<Watched> {
  const ingest = own.use(await startIngest());
  return { ingest, site: own.use(await startSite({ SENTRY_DSN: ingest.dsn })) };
}

const accountCall = '**/get-account-info';
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

test('an error that breaks a page is reported once', async ({ page, context, watched: { site, ingest } }) => {
  await signUpAndIn(site, context);
  await page.route(accountCall, async (route) => {
    const answer = (await (await route.fetch()).json()) as { account: object };
    await route.fulfill({ json: { ...answer, account: { ...answer.account, limits: undefined } } });
  });
  await page.goto(`${site.url}/dashboard/plan-info`);
  await expect(pageHeading(page)).toHaveText('Something went wrong.');
  const broken = () => valuesOf(ingest.itemsOf('event')).filter((value) => value?.includes('undefined'));
  await expect.poll(() => broken().length).toBeGreaterThan(0);
  await throwLater(page, 'the one after');
  await expect.poll(() => valuesOf(ingest.itemsOf('event'))).toContain('the one after');
  expect(broken()).toHaveLength(1);
});

test('a session check that fails is reported; being signed out is not', async ({
  page,
  context,
  watched: { site, ingest },
}) => {
  // An expired session: without a session cookie the app does not check at all.
  const name = `holdfast-session-${new URL(site.url).port}`;
  await context.addCookies([{ name, value: 'kelp', url: site.url }]);
  const before = ingest.itemsOf('event').length;
  await page.goto(`${site.url}/sign-in`);
  await loaded(page);
  await page.route(accountCall, (route) => route.fulfill({ status: 418, body: '<p>a proxy</p>' }));
  await page.reload();
  const told = () => valuesOf(ingest.itemsOf('event').slice(before));
  await expect.poll(told).toEqual([expect.stringContaining('unreadable response (status 418)')]);
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
