/** A rate that may change at any time, kept exactly on average and smooth at every moment. */
export interface TokenBucket {
  /**
   * Takes `bytes` now and answers in how many milliseconds they may go. Taking is never refused: what is taken too
   * early is a debt that the next takers wait for, in the order in which they came.
   */
  take(bytes: number): number;
  /** Bytes that may go at once; less than zero while there is a debt. */
  level(): number;
  /** Whether it is as if it had just been made. */
  isFull(): boolean;
}

/** What may go at once after a pause: enough to make up for a late timer, too little to be felt as a burst. */
const burstSeconds = 0.1;

/** `bytesPerSecond` is asked each time; Infinity lets everything through. `now` is in milliseconds. */
export function createTokenBucket(bytesPerSecond: () => number, now: () => number): TokenBucket {
  let tokens = bytesPerSecond() * burstSeconds;
  let filledAt = now();
  const fill = () => {
    const rate = bytesPerSecond();
    const time = now();
    // A clock that is set back fills nothing.
    const seconds = Math.max(0, time - filledAt) / 1000;
    filledAt = time;
    tokens = rate === Infinity ? Infinity : Math.min(tokens + seconds * rate, rate * burstSeconds);
    return rate;
  };
  return {
    take(bytes) {
      const rate = fill();
      tokens -= bytes;
      return tokens >= 0 ? 0 : (-tokens / rate) * 1000;
    },
    level() {
      fill();
      return tokens;
    },
    isFull() {
      const rate = fill();
      return rate === Infinity || tokens >= rate * burstSeconds;
    },
  };
}
