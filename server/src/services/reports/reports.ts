export interface Reports extends AsyncDisposable {
  /** Never throws. `where` is a constant, and no report contains a secret. */
  report(error: unknown, where: string): void;
}

export const noReports: Reports = { report() {}, async [Symbol.asyncDispose]() {} };
