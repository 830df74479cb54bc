/** The test function of the browser tests: a running site, and users who are signed in to it. */
import { type Browser, type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { fromNewAddress } from './client-address.ts';
import { type Keeper, openKeeper, type WorkerKeeper } from './keeper.ts';
import { type Site, startSite } from './site.ts';

export { expect } from '@playwright/test';

export const goodPassword = 'Correct-Horse-7';

export interface Person {
  readonly email: string;
  readonly apiKey: string;
}

// The server ends idle connections while this process loads the next file: a request on one of them would fail.
const reusing = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Connection', 'close');
  return reusing(input, { ...init, headers });
};

let people = 0;
export const newEmail = (): string => `person${process.pid}-${(people += 1)}@example.com`;

/** A user who signed in elsewhere. Adding the cookies signs them in here too. */
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
  /** The site that the tests of all files share, unless a file has its own. */
  site: Site;
  keeper: Keeper;
  /** A user with a new account, signed in to this test's browser. */
  person: Person;
  /** The page of `person`. */
  ownPage: Page;
  /** The account of `regular`. */
  signedOnce: SignedOnce;
  /**
   * A shared user for tests that do not depend on the account's contents, which is faster. Never use it together with
   * `person`: signing in ends the session that the browser had.
   */
  regular: Person;
  /** The page of `regular`. */
  signedInPage: Page;
  /** Problems that the tests of a file cause on purpose. */
  intended: RegExp | null;
  /** Fails every test whose pages throw an error that nobody catches, or load what the site's policy forbids. */
  soundPages: void;
}

export const test = base.extend<
  People,
  { sharedSite: Site; shared: { signed?: SignedOnce }; workerKeeper: WorkerKeeper }
>({
  sharedSite: [
    // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
    async ({}, use) => {
      await using site = await startSite();
      await use(site);
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
  shared: [({}, use) => use({}), { scope: 'worker' }],
  signedOnce: async ({ shared, sharedSite, browser }, use) => {
    shared.signed ??= await signUpOnce(sharedSite, browser);
    // The server would ask for the password again 15 minutes after it was entered.
    using database = sharedSite.openDatabase();
    database
      .prepare('UPDATE sessions SET confirmed_at = ? WHERE account_id = (SELECT id FROM accounts WHERE email = ?)')
      .run(Date.now(), shared.signed.person.email);
    await use(shared.signed);
  },
  workerKeeper: [
    // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
    async ({}, use) => {
      await using keeper = openKeeper();
      await use(keeper);
    },
    { scope: 'worker' },
  ],
  site: ({ sharedSite }, use) => use(sharedSite),
  keeper: async ({ workerKeeper }, use, { file }) => use(await workerKeeper.of(file)),
  baseURL: ({ site }, use) => use(site.url),
  // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
  extraHTTPHeaders: ({}, use) => use(fromNewAddress()),
  person: async ({ site, context }, use) => use(await signUpAndIn(site, context)),
  ownPage: ({ page, person }, use) => use(person && page),
  regular: async ({ site, signedOnce, context, request }, use) => {
    await context.addCookies(signedOnce.cookies);
    await use(signedOnce.person);
    const cookie = signedOnce.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const info = await request.get(`${site.url}/api/v3/rest/get-account-info`, { headers: { cookie } });
    // The next tests would find the sign-in page.
    if (!info.ok()) throw new Error('This test ended the session that all tests share: it needs a person of its own');
  },
  signedInPage: ({ page, regular }, use) => use(regular && page),
  intended: [null, { option: true }],
  soundPages: [
    async ({ context, intended }, use) => {
      const problems: string[] = [];
      context.on('weberror', (error) => problems.push(String(error.error())));
      context.on('console', (message) => {
        if (message.type() === 'error' && message.text().includes('Content Security Policy'))
          problems.push(message.text());
      });
      await use();
      expect(problems.filter((problem) => !intended?.test(problem))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Signs a new account in to this browser. */
export async function signUpAndIn(site: Site, context: BrowserContext, email = newEmail()): Promise<Person> {
  const { apiKey, sessionToken } = await site.addAccount(email, goodPassword);
  await context.addCookies([sessionCookie(site, sessionToken)]);
  return { email, apiKey };
}

export const sessionCookie = ({ url }: Site, value: string) =>
  ({ name: `holdfast-session-${new URL(url).port}`, value, url, httpOnly: true, sameSite: 'Lax' }) as const;

/** Uploads through the API and returns the link. */
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
