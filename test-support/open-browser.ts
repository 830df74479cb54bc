/** The browser of the tests, for programs that drive it outside of them. */
import { type Browser, chromium } from '@playwright/test';
import { browserPath, librariesPath } from './browser-files.ts';
import unpackBrowser from './unpack-browser.ts';

export type { Browser, BrowserContext, CDPSession, Locator, Page } from '@playwright/test';

export const launchOptions = {
  executablePath: browserPath,
  // The package's default arguments target another environment: with --single-process, closing a page ends the browser.
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
  env: {
    ...process.env,
    // Without a locale the browser cannot use non-Latin characters in the name of a download.
    LC_ALL: 'C.UTF-8',
    LD_LIBRARY_PATH: [librariesPath, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
  },
};

export async function openBrowser(): Promise<Browser> {
  await unpackBrowser();
  return await chromium.launch(launchOptions);
}
