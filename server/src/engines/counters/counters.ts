/**
 * The port of the counters that limits are made of: token buckets by key. What an engine promises: a bucket that is not
 * known is full; taking decides alone, so callers at once never share a token; a bucket is remembered at least until it
 * is full again, while there is room; a clock that is set back makes nobody wait longer than an empty bucket takes to
 * fill; what cannot be counted is refused with UNAVAILABLE and never let through.
 */
export interface Counters {
  take(key: string, limit: Limit): Promise<Taken>;
  /** Takes one back: what was taken turned out not to count. */
  giveBack(key: string, limit: Limit): Promise<void>;
}

/** How much may be taken at once, and how many milliseconds bring one more. */
export interface Limit {
  readonly capacity: number;
  readonly everyMs: number;
}

export interface Taken {
  readonly allowed: boolean;
  /** How many more may be taken now. */
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until the next may be taken; 0 where one may be taken now. */
  readonly retryAfterSeconds: number;
}

/**
 * A bucket is one number: the time when it will be full again. Taking moves it on by `everyMs`, and is refused where
 * that would be further away than an empty bucket takes to fill. A time that is already further away comes from a clock
 * that has been set back since: that bucket is empty now.
 */
export function describe(fullAt: number, now: number, { capacity, everyMs }: Limit, allowed: boolean): Taken {
  const missing = Math.max(0, fullAt - now);
  const untilNext = missing + everyMs - capacity * everyMs;
  return {
    allowed,
    remaining: Math.max(0, Math.floor(capacity - missing / everyMs)),
    resetSeconds: Math.ceil(missing / 1000),
    retryAfterSeconds: Math.max(0, Math.ceil(untilNext / 1000)),
  };
}
