export type ScanVerdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'infected'; readonly signature: string }
  /** Too large or too unusual for the scanner to scan completely; never treated as clean. */
  | { readonly kind: 'unscannable'; readonly why: string };

/** Both calls throw ScannerUnavailable if no answer comes in time or until `signal` aborts. */
export interface Scanner {
  readonly scans: boolean;
  /** The source may change a chunk once the next one is requested. */
  scan(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ScanVerdict>;
  check(signal: AbortSignal): Promise<ScannerFacts>;
}

export interface ScannerFacts {
  readonly version: string;
  readonly problems: readonly string[];
}

export class ScannerUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`The scanner returned no verdict: ${why}`, { cause });
    this.name = 'ScannerUnavailable';
  }
}

const refuse = () => Promise.reject(new ScannerUnavailable('none is configured'));
export const noScanner: Scanner = { scans: false, scan: refuse, check: refuse };
