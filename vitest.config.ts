import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What a test waits for comes in moments; a busy machine has longer ones. */
const patience = { poll: { timeout: 10_000 } };

/** A worker imports the product once for all of its files. No test replaces a module, and each one closes what it opens. */
const oneProcess = { isolate: false, setupFiles: ['test-support/fixed-seed.ts'] };

/** Milliseconds. Such a test starts up to thirty processes, each of which takes a second of a busy machine. */
const processTimeout = 120_000;

type DatabaseName = 'sqlite' | 'postgres';

/** Tests of the whole server, on one database. */
const serverTests = (
  name: string,
  database: DatabaseName,
  folders: readonly string[],
  testTimeout = 30_000,
  exclude: readonly string[] = [],
) => ({
  test: {
    name: `${name} on ${database}`,
    include: folders.map((folder) => `server/test/${folder}/**/*.test.ts`),
    exclude: [...exclude],
    env: { TEST_DATABASE: database },
    ...oneProcess,
    testTimeout,
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
          include: ['{contract,server,web,cli}/src/**/*.test.ts', 'server/test/*.test.ts'],
          ...oneProcess,
          testTimeout: 20_000,
          expect: patience,
        },
      },
      // `npm test` runs these: all behavior on one database, and on the other one what can tell databases apart.
      serverTests('behavior', 'sqlite', ['behavior', 'databases']),
      serverTests('databases', 'postgres', ['databases']),
      // `npm run test:rest` runs these.
      serverTests('behavior', 'postgres', ['behavior']),
      serverTests('processes', 'sqlite', ['processes', 'model'], processTimeout, [
        // From SQLite to PostgreSQL and back, so one run has both.
        'server/test/processes/move.test.ts',
      ]),
      serverTests('processes', 'postgres', ['processes', 'model'], processTimeout, [
        // Settings, files, arguments, signals and workers, whatever the database.
        'server/test/processes/{process,command-line,workers}.test.ts',
      ]),
    ],
  },
});
