import { defineConfig } from '@playwright/test';
import { launchOptions } from './harness/open-browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.test.ts',
  outputDir: '../test-results',
  globalSetup: './harness/unpack-browser.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // A browser on a busy machine loses a frame or an answer once in some hundred tests. What fails twice is a fault, and
  // what needed the second try is counted and named at the end.
  retries: 1,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    launchOptions,
  },
});
