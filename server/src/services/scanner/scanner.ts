/** The scanner port: detects known malware. */

export type ScanVerdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'infected'; readonly signature: string }
  /** Too large or too unusual for the scanner to scan completely; never treated as clean. */
  | { readonly kind: 'unscannable'; readonly why: string };

export interface Scanner {
  /** False if no scanner is configured; then `scan` and `check` must not be called. */
  readonly scans: boolean;
  /**
   * Scans everything that `source` yields and rethrows errors of the source. The source may change a chunk once the
   * next one is requested.
   * @throws {ScannerUnavailable} when no verdict comes, within the scanner's own timeouts or until `signal` aborts.
   */
  scan(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ScanVerdict>;
  /**
   * Checks that the scanner is running and configured as its verdicts need.
   * @throws {ScannerUnavailable} as `scan` does.
   */
  check(signal: AbortSignal): Promise<ScannerFacts>;
}

export interface ScannerFacts {
  /** The version that the scanner reports, with the age of its signatures. */
  readonly version: string;
  /** Configuration problems for the operator to fix, as sentences. */
  readonly problems: readonly string[];
}

export class ScannerUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`The scanner returned no verdict: ${why}`, { cause });
    this.name = 'ScannerUnavailable';
  }
}
