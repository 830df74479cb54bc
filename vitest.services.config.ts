import { defineConfig } from 'vitest/config';

/** Tests with other programs around Holdfast: nginx in front of it, and the download tools that people use. */
export default defineConfig({
  test: {
    name: 'services',
    include: ['server/test/services/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
