import type { Reports } from './reports.ts';

/** The log is enough. */
export function openNoReports(): Reports {
  return {
    report() {},
    async [Symbol.asyncDispose]() {},
  };
}
