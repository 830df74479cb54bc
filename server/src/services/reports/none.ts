import type { Reports } from './reports.ts';

/** The engine without a destination: failures are only logged. */
export function openNoReports(): Reports {
  return {
    report() {},
    async [Symbol.asyncDispose]() {},
  };
}
