import { defineConfig } from '@playwright/test';
import { launchOptions } from '@holdfast/test-support/open-browser.ts';

export default defineConfig({
  testDir: '.',
  // Other browser engines are in `labs/engines`.
  projects: [
    // `npm test` runs these: what each screen is for, and the ways that cross several screens.
    { name: 'screens and journeys', testMatch: ['screens/*.test.ts', 'journeys/*.test.ts'], grepInvert: /@detail/ },
    // `npm run test:all` runs these.
    { name: 'details of screens', testMatch: ['screens/*.test.ts'], grep: /@detail/ },
    { name: 'details, faults and sweeps', testMatch: ['details/*.test.ts', 'faults/*.test.ts', 'sweeps/*.test.ts'] },
  ],
  outputDir: '../test-results',
  globalSetup: '../test-support/unpack-browser.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // A test that needs a retry has found a race, in itself or in the product.
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    launchOptions,
  },
});
