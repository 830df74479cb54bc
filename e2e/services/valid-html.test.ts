/** Every page, as rendered by the browser, is valid HTML: the W3C's checker (vnu) reports no error and no warning. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pages } from '@holdfast/contract/src/pages.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, openBrowser } from '@holdfast/test-support/open-browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { signUpAndIn } from '../harness/test.ts';

const run = promisify(execFile);
const checker = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');

const isOfDashboard = (path: string) => path.startsWith('/dashboard');
const dashboardPages = [...pages].filter(isOfDashboard);
const publicPages = [
  ...[...pages].filter((path) => !isOfDashboard(path)),
  '/reset-password?key=kelp',
  '/no/such/page',
  '/file/nosuchfile',
];

let site: Site;
let browser: Browser;
let folder: string;
let missing: string | undefined;

beforeAll(async () => {
  missing = await run('java', ['-version']).then(
    () => undefined,
    () => 'there is no Java on this machine: apt-get install default-jre-headless',
  );
  site = await startSite();
  browser = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), 'holdfast-html-'));
});
afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('every public page is valid HTML', { timeout: 180_000 }, async (context) => {
  if (missing !== undefined) context.skip(missing);
  expect(await faultsOf(publicPages, false)).toEqual([]);
});

test('every page of the dashboard is valid HTML', { timeout: 180_000 }, async (context) => {
  if (missing !== undefined) context.skip(missing);
  expect(await faultsOf(dashboardPages, true)).toEqual([]);
});

interface Fault {
  readonly url: string;
  readonly type: string;
  readonly message: string;
  readonly extract?: string;
}

/** Returns the checker's reports on each page once its content has loaded. */
async function faultsOf(paths: readonly string[], signedIn: boolean): Promise<string[]> {
  await using visitor = await browser.newContext({ baseURL: site.url });
  if (signedIn) await signUpAndIn(site, visitor);
  const page = await visitor.newPage();
  const files = new Map<string, string>();
  for (const [at, path] of paths.entries()) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const file = join(folder, `page-${at}.html`);
    await writeFile(file, await page.content());
    files.set(file, path);
  }
  return (
    (await check([...files.keys()]))
      // The nonce mark of the build tool has no content.
      .filter(({ extract }) => !extract?.includes('<meta property="csp-nonce"'))
      .map(
        ({ url, type, message, extract }) => `${files.get(url.replace('file:', ''))}: ${type}: ${message} ${extract}`,
      )
  );
}

async function check(files: readonly string[]): Promise<readonly Fault[]> {
  const args = ['-jar', checker, '--format', 'json', '--exit-zero-always', ...files];
  const { stderr } = await run('java', args, { maxBuffer: 64 * 1024 * 1024 });
  return (JSON.parse(stderr) as { messages: Fault[] }).messages;
}
