import { defineConfig } from 'vitest/config';

/** On PostgreSQL and a real S3 server, Ceph's, which comes with `npm run test:services`. */
const onS3 = {
  env: { TEST_DATABASE: 'postgres', TEST_BLOBS: 's3' },
  globalSetup: ['server/test/harness/postgres-server.ts', 'server/test/harness/rgw-server.ts'],
  expect: { poll: { timeout: 10_000 } },
};

/** `npm run test:s3`: all behavior; and backing up, losing everything and restoring, and kills under uploads. */
export default defineConfig({
  test: {
    // The store takes its share of the cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...onS3,
          name: 'behavior on postgres and S3',
          include: ['server/test/behavior/**/*.test.ts', 'server/test/databases/**/*.test.ts'],
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...onS3,
          name: 'drill on postgres and S3',
          include: ['server/test/drill/{drill,faults,interrupted}.test.ts'],
          testTimeout: 600_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
