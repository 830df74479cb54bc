import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What a test waits for comes in moments; a busy machine has longer ones. */
const patience = { poll: { timeout: 10_000 } };

/** The behaviour suite is the database engines' conformance suite: it runs once on each. */
const behaviourOn = (database: 'sqlite' | 'postgres') => ({
  test: {
    name: `behaviour on ${database}`,
    include: ['server/test/{behaviour,model}/**/*.test.ts'],
    env: { TEST_DATABASE: database },
    testTimeout: 30_000,
    expect: patience,
    ...(database === 'postgres' && { globalSetup: ['server/test/harness/postgres-server.ts'] }),
  },
});

export default defineConfig({
  test: {
    // One fewer than there are cores is the default: a machine of two would do one file at a time, and most files wait for
    // a disk, a database or a socket.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'unit and conformance',
          include: ['{contract,server,web}/src/**/*.test.ts', 'server/test/*.test.ts'],
          testTimeout: 20_000,
          expect: patience,
        },
      },
      behaviourOn('sqlite'),
      behaviourOn('postgres'),
    ],
  },
});
