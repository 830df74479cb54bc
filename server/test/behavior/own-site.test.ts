/** What an operator decides about the pages: `PRICING`, `SITE_CLAIMS` and `POLICIES_DIR`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startStripe } from '@holdfast/test-support/stand-ins/stripe.ts';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { expect, onTestFinished, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { cookiesOf, goTo, planPath } from '../harness/shop.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm } from '../harness/uploads.ts';

let folders = 0;
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(memoryFolder(), `holdfast-own-site-${process.pid}-${(folders += 1)}`);
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const listed = async (server: TestServer) =>
  [...(await call(server, '/sitemap.xml')).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );

test('without prices there is no pricing page, and no page speaks of plans to search engines', async () => {
  await using server = await startServer({ PRICING: 'off' });
  expect(await call(server, '/plan-pricing')).toMatchObject({ status: 404 });
  expect(await call(server, '/Plan-Pricing/')).toMatchObject({ status: 404 });
  const paths = await listed(server);
  expect(paths).toContain('/faqs');
  expect(paths).not.toContain('/plan-pricing');
  for (const path of ['/', '/faqs', '/sign-up', '/about-us', '/speed-test']) {
    const { status, text } = await call(server, path);
    expect(status).toBe(200);
    const descriptions = [...text.matchAll(/content="([^"]*)"/g)].map(([, content]) => content);
    expect(descriptions.join(' ')).not.toMatch(/\bplans?\b|\bfree\b|pricing/i);
    expect(text).toContain(`<meta property="og:image" content="${server.context.config.origins.app}/icon-512.png" />`);
    expect(text).toContain('<meta name="twitter:card" content="summary" />');
  }
});

test.each([
  ['open', true],
  ['approval', true],
  ['invite', false],
  ['closed', false],
])('with SIGN_UP=%s search engines and previews are told of the sign-up: %s', async (signUp, isTold) => {
  await using server = await startServer({ SIGN_UP: signUp });
  expect((await listed(server)).includes('/sign-up')).toBe(isTold);
  const { status, text } = await call(server, '/sign-up');
  expect(status).toBe(200);
  expect(text.includes('Make a free account')).toBe(isTold);
});

test('without prices a link to a payment leads to the plan of the user, and says that nothing is for sale', async () => {
  await using server = await startServer({ PRICING: 'off' });
  const { browser } = await signUpAndIn(server, { plan: 'basic' });
  for (const plan of [undefined, 'power_monthly', 'kelp'])
    expect(
      (await goTo(server, planPath(plan), { 'Sec-Fetch-Site': 'none', Cookie: cookiesOf(browser) })).headers.location,
    ).toBe('/dashboard/plan-info?problem=not-for-sale');
  expect((await goTo(server, planPath('power_monthly'), { 'Sec-Fetch-Site': 'none' })).headers.location).toBe(
    '/sign-in',
  );
});

const askOperator = 'Not enough space or slots. Delete files, or ask the administrator for more space.';
const small = '{ "free": { "space_quota": 5 }, "advanced": { "space_quota": 5 }, "power": { "space_quota": 5 } }';

test.each([
  [{ PRICING: 'off' }, [askOperator, askOperator, askOperator]],
  [{}, [askOperator, askOperator, askOperator]],
  [
    { STRIPE_PRICES: 'advanced_monthly=price_advanced_monthly' },
    ['Not enough space or slots. Delete files or get a larger plan.', askOperator, askOperator],
  ],
])('with %j a full account is offered a larger plan only if it can buy one', async (settings, expected) => {
  const plans = await folderWith({ 'plans.json': small });
  await using stripe = await startStripe();
  const environment = { ...('STRIPE_PRICES' in settings && stripe.environment), ...settings };
  await using server = await startServer({ ...environment, PLANS_FILE: join(plans, 'plans.json') });
  const refusals = [];
  for (const plan of ['free', 'advanced', 'power'] as const)
    refusals.push((await sendForm(server, await signUpAndIn(server, { plan }), formWith('x'.repeat(6)))).error);
  expect(refusals).toEqual(expected);
});

test('the pages describe renamed plans by their names', async () => {
  const plans = await folderWith({ 'plans.json': '{ "free": { "name": "Guest" }, "power": { "name": "Crew" } }' });
  await using server = await startServer({ PLANS_FILE: join(plans, 'plans.json') });
  expect((await call(server, '/plan-pricing')).text).toContain('content="Plans from Guest to Crew: ');
});

test("the home page is described in the operator's words", async () => {
  const site = await folderWith({ 'site.json': '{ "lead": "Charts & photos of \\"our\\" <club>." }' });
  await using server = await startServer({ SITE_CLAIMS: join(site, 'site.json') });
  const lead = 'Charts &amp; photos of &quot;our&quot; &lt;club&gt;.';
  const { text } = await call(server, '/');
  expect(text).toContain(`<meta name="description" content="${lead}" />`);
  expect(text).toContain(`<meta property="og:description" content="${lead}" />`);
  expect(text).not.toContain('social.png');
});

test("the operator's policies are sent as elements, and their titles are in the heads of their pages", async () => {
  const POLICIES_DIR = await folderWith({
    'terms.md': '# Rules & more\n\n## Be kind\n\nSee [privacy](/privacy-policy).\n',
    'notes.txt': 'not a policy',
  });
  await using server = await startServer({ POLICIES_DIR, SITE_NAME: 'Kelp' });
  const answer = await call(server, '/terms-of-service.json');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(JSON.parse(answer.text)).toEqual({
    success: true,
    policy: {
      title: 'Rules & more',
      intro: [],
      sections: [
        {
          id: 'be-kind',
          title: 'Be kind',
          parts: [{ tag: 'p', parts: ['See ', { tag: 'a', href: '/privacy-policy', parts: ['privacy'] }, '.'] }],
        },
      ],
    },
  });
  expect((await call(server, '/terms-of-service')).text).toContain('<title>Rules &amp; more · Kelp</title>');
  expect((await call(server, '/privacy-policy')).text).toContain('<title>Privacy Policy · Kelp</title>');
  expect((await call(server, '/privacy-policy.json')).status).toBe(404);
});

test.each([
  [{ 'terms.md': 'Be <b>kind</b>.' }, 'terms.md: line 1: HTML is not supported'],
  [{ 'term.md': 'Be kind.' }, 'no page has the text of term.md; the names are terms.md, privacy.md and dmca.md'],
  [{}, 'has none of the files terms.md, privacy.md and dmca.md'],
])('policies that cannot be used stop the start: %j', async (files, reason) => {
  const POLICIES_DIR = await folderWith(files);
  await expect(startServer({ POLICIES_DIR })).rejects.toThrow(`POLICIES_DIR cannot be used: `);
  await expect(startServer({ POLICIES_DIR })).rejects.toThrow(reason);
});

test('a folder of policies that does not exist stops the start', async () => {
  await expect(startServer({ POLICIES_DIR: '/no/such/folder' })).rejects.toThrow(
    /^POLICIES_DIR cannot be used: ENOENT.*\.$/,
  );
});
