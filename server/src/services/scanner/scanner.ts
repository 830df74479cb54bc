export type ScanVerdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'infected'; readonly signature: string }
  /** Too large or too unusual for the scanner to scan completely; never treated as clean. */
  | { readonly kind: 'unscannable'; readonly why: string };

/** Detects known malware. Both calls throw ScannerUnavailable if no answer comes in time or until `signal` aborts. */
export interface Scanner {
  /** False if no scanner is configured; then `scan` and `check` must not be called. */
  readonly scans: boolean;
  /** Rethrows errors of the source, which may change a chunk once the next one is requested. */
  scan(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ScanVerdict>;
  /** Checks that the scanner is running and configured as its verdicts need. */
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

const refuse = async () => {
  throw new ScannerUnavailable('none is configured');
};
export const noScanner: Scanner = { scans: false, scan: refuse, check: refuse };
