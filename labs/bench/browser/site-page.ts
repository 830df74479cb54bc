/** A page of the built web app in the browser that the browser tests use. */
import { setTimeout } from 'node:timers/promises';
import { ensureWebBuilt } from '../../../scripts/build-web.mjs';
import { exclusively } from '../../../scripts/lock.mjs';
import { type Browser, type BrowserContext, openBrowser, type Page } from '@holdfast/test-support/open-browser.ts';
import { type Account, password } from '../harness/account.ts';
import type { Holdfast } from '../harness/holdfast.ts';

/** Call it before the server starts, which reads the page of the web app only once. */
export async function openBuiltBrowser(): Promise<Browser> {
  await exclusively(ensureWebBuilt);
  return await openBrowser();
}

/** Opens a page with an empty cache, signed in if an account is given. */
export async function openPage(browser: Browser, server: Holdfast, account?: Account): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  if (account) await signIn(context, account);
  context.setDefaultTimeout(15_000);
  return await context.newPage();
}

async function signIn({ request }: BrowserContext, { email }: Account): Promise<void> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const ask = () => request.post('/api/v3/session/login', { data: { email, password }, headers });
  let answer = await ask();
  // Signing up used up the address's calls for this second.
  while (answer.status() === 429) {
    await setTimeout(Number(answer.headers()['retry-after']) * 1000);
    answer = await ask();
  }
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`);
}
