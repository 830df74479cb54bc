import { defineConfig } from 'vitest/config';

/** Backing up, losing everything and restoring, on each database: `npm run test:drill`. */
const drillOn = (database: 'sqlite' | 'postgres') => ({
  test: {
    name: `drill on ${database}`,
    include: ['server/test/drill/**/*.test.ts'],
    env: { TEST_DATABASE: database },
    testTimeout: 300_000,
    expect: { poll: { timeout: 10_000 } },
    ...(database === 'postgres' && { globalSetup: ['server/test/harness/postgres-server.ts'] }),
  },
});

export default defineConfig({ test: { projects: [drillOn('sqlite'), drillOn('postgres')] } });
