/** The scanner port: whether bytes are known malware. */

export type Verdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'infected'; readonly signature: string }
  /** Too large or too strange for the scanner to look at whole: never taken for clean. */
  | { readonly kind: 'unscannable'; readonly why: string };

export interface Scanner {
  /** False where none is configured: then nothing is scanned, and neither `scan` nor `check` is to be called. */
  readonly scans: boolean;
  /**
   * Judges everything that `source` yields; what the source throws goes through. A chunk may be changed by the source
   * once the next one is asked for.
   * @throws {ScannerUnavailable} when no verdict comes, within the scanner's own timeouts or until `signal` aborts.
   */
  scan(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Verdict>;
  /**
   * Asks the scanner whether it is there and set up as its verdicts need.
   * @throws {ScannerUnavailable} as `scan` does.
   */
  check(signal: AbortSignal): Promise<ScannerFacts>;
}

export interface ScannerFacts {
  /** As it says itself, with the age of its signatures. */
  readonly version: string;
  /** What its operator should change, in sentences. */
  readonly problems: readonly string[];
}

export class ScannerUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`The scanner gives no verdict: ${why}`, { cause });
    this.name = 'ScannerUnavailable';
  }
}
