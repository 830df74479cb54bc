import { defineConfig } from 'vitest/config';

/** Tests with other programs around Holdfast: nginx in front of it, download tools, and browsers of other engines. */
export default defineConfig({
  test: {
    name: 'services',
    include: ['server/test/services/**/*.test.ts', 'e2e/{engines,services}/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a machine of two cores the default is one file at a time, and these wait for other programs most of the time.
    maxWorkers: 2,
    expect: { poll: { timeout: 10_000 } },
  },
});
