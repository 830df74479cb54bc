import { defineConfig } from 'vitest/config';

type DatabaseName = 'sqlite' | 'postgres';

const folder = 'server/test/drill';
/** They measure how long others wait and how much memory is held, so nothing runs beside them. */
const measuring = [`${folder}/one-account.test.ts`, `${folder}/strangers.test.ts`];

const drill = (name: string, database: DatabaseName) => ({
  name: `${name} on ${database}`,
  env: { TEST_DATABASE: database },
  testTimeout: 300_000,
  expect: { poll: { timeout: 10_000 } },
  ...(database === 'postgres' && { globalSetup: ['server/test/harness/postgres-server.ts'] }),
});

/** Backing up, losing everything and restoring, on each database: `npm run test:drill`. */
const drillOn = (database: DatabaseName) => ({
  test: {
    ...drill('drill', database),
    include: [`${folder}/**/*.test.ts`],
    // A move goes from SQLite to PostgreSQL and back, so one run has both.
    exclude: database === 'sqlite' ? [...measuring, `${folder}/move.test.ts`] : measuring,
    // The default on a machine of two cores is one file at a time, and these wait for a disk most of the time.
    maxWorkers: 2,
  },
});

const attackOn = (database: DatabaseName) => ({
  test: { ...drill('attack', database), include: measuring, maxWorkers: 1, sequence: { groupOrder: 1 } },
});

export default defineConfig({
  test: { projects: [drillOn('sqlite'), drillOn('postgres'), attackOn('sqlite'), attackOn('postgres')] },
});
