/**
 * The counter port for rate limits: token buckets by key. An engine promises the following. An unknown bucket is full.
 * Taking is atomic, so concurrent callers never share a token. A bucket is remembered at least until it is full again,
 * while there is memory for it. A call that cannot be counted is refused and never let through.
 */
export interface Counters {
  take(key: string, limit: Limit): Promise<Taken>;
  /** Returns one token, for a call that turned out not to count. */
  giveBack(key: string, limit: Limit): Promise<void>;
}

/** The number of tokens that may be taken at once, and the milliseconds until one more is added. */
export interface Limit {
  readonly capacity: number;
  readonly everyMs: number;
}

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until the next token; 0 if one is available now. */
  readonly retryAfterSeconds: number;
}

/**
 * A bucket is one number: the time when it will be full again. Taking a token moves it forward by `everyMs`, and is
 * refused if that would be further away than an empty bucket takes to fill.
 */
export function takenAt(fullAt: number, now: number, { capacity, everyMs }: Limit, allowed: boolean): Taken {
  const missing = Math.max(0, fullAt - now);
  const untilNext = missing + everyMs - capacity * everyMs;
  return {
    allowed,
    remaining: Math.max(0, Math.floor(capacity - missing / everyMs)),
    resetSeconds: Math.ceil(missing / 1000),
    retryAfterSeconds: Math.max(0, Math.ceil(untilNext / 1000)),
  };
}
