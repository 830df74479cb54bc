/** Enforces a rate that is exact on average and smooth at every moment. */
export interface TokenBucket {
  /**
   * Takes `bytes` now and returns in how many milliseconds they may go. Taking is never refused: bytes taken too early
   * are a debt. A negative number refunds bytes, and zero only returns how long the debt lasts.
   */
  take(bytes: number): number;
  /** Bytes that may go at once; negative while there is a debt. */
  level(): number;
  /** True if the bucket is full, as when it was created. */
  isFull(): boolean;
}

/** The burst allowed after a pause: enough to make up for a late timer, too little to be noticed. */
const burstSeconds = 0.1;

/** `rate` is in bytes per second; Infinity lets everything through. `now` is in milliseconds. */
export function createTokenBucket(rate: number, now: () => number): TokenBucket {
  const most = rate * burstSeconds;
  let tokens = most;
  let filledAt = now();
  const fill = () => {
    const time = now();
    // A clock that is set back adds no tokens.
    if (time > filledAt) tokens += ((time - filledAt) / 1000) * rate;
    tokens = Math.min(tokens, most);
    filledAt = time;
  };
  return {
    take(bytes) {
      fill();
      tokens -= bytes;
      return tokens >= 0 ? 0 : (-tokens / rate) * 1000;
    },
    level() {
      fill();
      return tokens;
    },
    isFull() {
      fill();
      return tokens >= most;
    },
  };
}
