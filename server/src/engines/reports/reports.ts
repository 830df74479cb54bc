/** The error reporting port: where the operator hears of failures that nobody expected. */
export interface Reports extends AsyncDisposable {
  /**
   * Tells of a failure. It returns at once and never throws, whatever becomes of the report; none holds a key, cookie,
   * code, password or link of a letter. `where` names the part of the product, in a few words that never vary.
   *
   * Disposing waits a moment for what is on its way.
   */
  report(error: unknown, where: string): void;
}
