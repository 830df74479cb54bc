import type { Reports } from './reports.ts';

/** Sends no reports: the log is enough. */
export function openNoReports(): Reports {
  return {
    report() {},
    async [Symbol.asyncDispose]() {},
  };
}
