/** Informs the operator of unexpected failures. Disposing waits briefly for pending reports. */
export interface Reports extends AsyncDisposable {
  /**
   * Returns at once and never throws. No report contains a key, cookie, code, password or link from an email. `where`
   * names the part of the product in a few words that never vary.
   */
  report(error: unknown, where: string): void;
}

export const noReports: Reports = { report() {}, async [Symbol.asyncDispose]() {} };
