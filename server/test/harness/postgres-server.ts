/** One PostgreSQL for the duration of a test run. */
import type { TestProject } from 'vitest/node';
import { startPostgres } from './start-postgres.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', server.url);
  return async () => server[Symbol.asyncDispose]();
}
