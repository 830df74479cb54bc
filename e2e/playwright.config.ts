import { defineConfig } from '@playwright/test';
import { browserPath, librariesPath } from './harness/browser-files.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.test.ts',
  outputDir: '../test-results',
  globalSetup: './harness/unpack-browser.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    launchOptions: {
      executablePath: browserPath,
      // The package's own arguments are for another place: with --single-process a closing page ends the browser.
      args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
      env: {
        ...process.env,
        // Without a locale the browser cannot name a download in another script than Latin.
        LC_ALL: 'C.UTF-8',
        LD_LIBRARY_PATH: [librariesPath, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
      },
    },
  },
});
