/** The error reporting port, which informs the operator of unexpected failures. */
export interface Reports extends AsyncDisposable {
  /**
   * Reports a failure. It returns at once and never throws, even if the report cannot be sent. No report contains a
   * key, cookie, code, password or link from an email. `where` names the part of the product in a few words that never
   * vary.
   *
   * Disposing waits briefly for pending reports.
   */
  report(error: unknown, where: string): void;
}
