/** The test function of the browser tests: a running site, and people who are signed in to it. */
import { type Browser, type BrowserContext, type Page, test as base } from '@playwright/test';
import { createClient } from '@holdfast/contract/src/client.ts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { fromNewAddress } from './client-address.ts';
import { type Site, startSite } from './site.ts';

export { expect } from '@playwright/test';

export const goodPassword = 'Correct-Horse-7';

export interface Person {
  readonly email: string;
  readonly apiKey: string;
}

let people = 0;
export const newEmail = (): string => `person${process.pid}-${(people += 1)}@example.com`;

/** Someone who was signed in elsewhere, and can be here too by adding the cookies. */
export interface SignedOnce {
  readonly person: Person;
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>;
}

export async function signUpOnce(site: Site, browser: Browser): Promise<SignedOnce> {
  const context = await browser.newContext();
  const person = await signUpAndIn(site, context);
  const cookies = await context.cookies();
  await context.close();
  return { person, cookies };
}

interface People {
  /** Someone with an account of their own, signed in in this test's browser. */
  person: Person;
  /**
   * The same for tests that do not mind what is in the account: one person for all of them, which is quicker. Never
   * together with `person`: signing in ends the session that the browser had.
   */
  regular: Person;
  /** The page of `regular`. */
  signedInPage: Page;
}

export const test = base.extend<People, { site: Site; signedOnce: SignedOnce }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
    async ({}, use) => {
      await using site = await startSite();
      await use(site);
    },
    { scope: 'worker' },
  ],
  signedOnce: [async ({ site, browser }, use) => use(await signUpOnce(site, browser)), { scope: 'worker' }],
  baseURL: ({ site }, use) => use(site.url),
  // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
  extraHTTPHeaders: ({}, use) => use(fromNewAddress()),
  person: async ({ site, context }, use) => use(await signUpAndIn(site, context)),
  regular: async ({ site, signedOnce, context, request }, use) => {
    await context.addCookies(signedOnce.cookies);
    await use(signedOnce.person);
    const cookie = signedOnce.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const info = await request.get(`${site.url}/api/v3/rest/get-account-info`, { headers: { cookie } });
    // The tests after this one would find the sign-in page.
    if (!info.ok()) throw new Error('This test ended the session that all tests share: it needs a person of its own');
  },
  signedInPage: ({ page, regular }, use) => use(regular && page),
});

/** Over the API, but with the cookies of the browser, and with the bot check solved as a browser solves it. */
export async function signUpAndIn(site: Site, context: BrowserContext, email = newEmail()): Promise<Person> {
  const { request } = context;
  const send = async (call: string, data: object) => {
    const answer = await request.post(`${site.url}/api/v3/session/${call}`, {
      data,
      headers: { 'Sec-Fetch-Site': 'same-origin', ...fromNewAddress() },
    });
    if (!answer.ok()) throw new Error(`${call} answered ${answer.status()}: ${await answer.text()}`);
  };
  const captcha = (action: 'create_account' | 'login') => solveBotCheck(site, action);
  await send('create-account', {
    email,
    password: goodPassword,
    password2: goodPassword,
    captcha_token: await captcha('create_account'),
  });
  await send('verify-email', { code: await site.newestCodeFor(email) });
  await send('login', { email, password: goodPassword, captcha_token: await captcha('login') });
  const info = await request.get(`${site.url}/api/v3/rest/get-account-info`);
  const { account } = (await info.json()) as { account: { info: { api_key: string } } };
  return { email, apiKey: account.info.api_key };
}

async function solveBotCheck(site: Site, action: 'create_account' | 'login'): Promise<string> {
  const ask: typeof fetch = (input, init) => fetch(input, { ...init, headers: fromNewAddress() });
  const { captcha } = await createClient(ask, { origin: site.url }).captchaChallenge({ query: { action } });
  if (captcha.kind !== 'altcha') return '';
  const challenge = captcha.challenge as unknown as Parameters<typeof solveChallenge>[0]['challenge'];
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** Uploads over the API and answers the link. */
export async function uploadByKey(
  site: Site,
  person: Person,
  name: string,
  bytes: string | Uint8Array<ArrayBuffer> = name,
): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  const answer = await fetch(`${site.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'X-API-Key': person.apiKey, ...fromNewAddress() },
    body: form,
  });
  const { url } = (await answer.json()) as { url: string };
  return url;
}
