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
  // For what a busy machine does to a browser. What needed the second try is named, and more than a few are a failure
  // (scripts/test.mjs).
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
