import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What a test waits for comes in moments; a busy machine has longer ones. */
const patience = { poll: { timeout: 60_000 } };

/** Milliseconds. Only a hang ends a test: on a machine that others use too, everything takes twenty times as long. */
const testTimeout = 180_000;
const longTimeout = process.env['LONG_DRILL'] === undefined ? 600_000 : 3_600_000;

const shared = {
  // A worker imports the product once for all of its files. No test replaces a module, and each one closes what it opens.
  isolate: false,
  expect: patience,
  setupFiles: ['test-support/fixed-seed.ts'],
  testTimeout,
  hookTimeout: testTimeout,
};

/**
 * Files with a test that measures or waits for real time, that starts several servers on one database, or that goes through
 * many days or orders. They take long, and some depend on the machine, so `npm run test:all` runs them and `npm test` does not.
 */
const longBehavior = ['event-orders', 'password-queue', 'promised-days', 'refused-bodies'].map(
  (name) => `server/test/behavior/${name}.test.ts`,
);
const timedDatabases = ['first-starts', 'migrations', 'outages', 'read-only', 'shared-limits'].map(
  (name) => `server/test/databases/${name}.test.ts`,
);
const longDatabases = [
  ...timedDatabases,
  ...['database-clock', 'files-only', 'moved-rows'].map((name) => `server/test/databases/${name}.test.ts`),
];
const long: readonly string[] = [...longBehavior, ...longDatabases];

type DatabaseName = 'sqlite' | 'postgres';

const behavior = '{server,client,mcp,user-cli}/test/behavior/**/*.test.ts';
const databases = 'server/test/databases/**/*.test.ts';
const processes = ['{server,client,mcp,user-cli}/test/{processes,model}/**/*.test.ts'];

/** Tests of the whole server, on one database. */
const serverTests = (
  name: string,
  database: DatabaseName,
  include: readonly string[],
  exclude: readonly string[] = [],
) => ({
  test: {
    name: `${name} on ${database}`,
    include: [...include],
    exclude: [...exclude],
    env: { TEST_DATABASE: database },
    ...shared,
    // Node runs the sources, as it runs the product, and keeps what it has compiled.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...(database === 'postgres' && { globalSetup: ['server/test/harness/postgres-server.ts'] }),
  },
});

/** Tests that need other programs around Holdfast: nginx in front of it, download tools, a scanner, an S3 server. */
const services = {
  test: {
    name: 'services',
    include: ['server/test/services/**/*.test.ts', 'e2e/services/*.test.ts'],
    testTimeout,
    hookTimeout: testTimeout,
    expect: patience,
  },
};

const drill =
  'labs/drill/{database-outages,descriptors,fresh-links,fuzz,interrupted,large-upload,move,write-order}.test.ts';
/** Disks that fail or fill. */
const disk = 'labs/drill/{bad-disk,disaster,full-disk}.test.ts';
/** They measure how long others wait and how much memory is held. */
const attack = 'labs/drill/one-account.test.ts';
const lab = (name: string, database: DatabaseName, include: readonly string[], exclude: readonly string[] = []) => ({
  test: { ...serverTests(name, database, include, exclude).test, isolate: true, testTimeout: longTimeout },
});
/** Debian's PgBouncer between, in session mode. */
const throughPooler = (() => {
  const { test } = serverTests('databases', 'postgres', [databases], timedDatabases);
  return {
    test: { ...test, name: 'databases on postgres through PgBouncer', env: { ...test.env, TEST_POOLER: 'pgbouncer' } },
  };
})();
const onS3 = (name: string, include: readonly string[], exclude: readonly string[] = []) => {
  const { test } = serverTests(name, 'postgres', include, exclude);
  return {
    test: {
      ...test,
      name: `${name} on postgres and S3`,
      testTimeout: longTimeout,
      env: { TEST_DATABASE: 'postgres', TEST_BLOBS: 's3' },
      globalSetup: ['server/test/harness/postgres-server.ts', 'server/test/harness/rgw-server.ts'],
    },
  };
};

/** `npm run lab -- NAME` runs these, and nothing else does. */
const labs = [
  // A move is from SQLite to PostgreSQL and back, so one run has both.
  lab('drill', 'sqlite', [drill], ['labs/drill/move.test.ts']),
  lab('drill', 'postgres', [drill]),
  lab('disk', 'sqlite', [disk]),
  lab('disk', 'postgres', [disk]),
  lab('attack', 'sqlite', [attack]),
  lab('attack', 'postgres', [attack]),
  onS3('drill', ['labs/drill/{interrupted,large-upload,move}.test.ts']),
  { test: { ...services.test, name: 'machines', include: ['labs/machines/*.test.ts'], testTimeout: 600_000 } },
  {
    test: {
      name: 'browser engines',
      include: ['labs/engines/*.test.ts'],
      testTimeout: 60_000,
      // A browser starts here, on a machine that may be busy.
      hookTimeout: 240_000,
      expect: { poll: { timeout: 20_000 } },
    },
  },
];

export default defineConfig({
  test: {
    // One fewer than there are cores is the default: a machine of two would do one file at a time, and most files wait for
    // a disk, a database or a socket.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit and conformance',
          include: ['{contract,server,web,cli}/src/**/*.test.ts', 'server/test/*.test.ts'],
        },
      },
      // `npm test` runs these: all behavior on one database, and on the other one what can tell databases apart.
      serverTests('behavior', 'sqlite', [behavior, databases], long),
      serverTests('databases', 'postgres', [databases], long),
      // `npm run test:all` runs these.
      serverTests('long', 'sqlite', [...long]),
      serverTests('long', 'postgres', longDatabases),
      // For single files, without an S3 server.
      serverTests('behavior', 'postgres', [behavior]),
      // Tests that measure time store nothing.
      onS3('behavior', [behavior, 'server/test/databases/{backup,upload-limits}.test.ts'], longBehavior),
      serverTests(
        'processes',
        'sqlite',
        processes,
        // Several workers need PostgreSQL. A move is from SQLite to PostgreSQL and back, so one run has both.
        ['server/test/processes/{move,workers}.test.ts'],
      ),
      serverTests(
        'processes',
        'postgres',
        processes,
        // Settings, files, arguments and signals, whatever the database.
        [
          'server/test/processes/{process,command-line}.test.ts',
          '{client,mcp,user-cli}/test/processes/{package,command,completion,tools}.test.ts',
        ],
      ),
      throughPooler,
      services,
      ...labs,
    ],
  },
});
