/** A rate that is kept exactly on average, and smooth at every moment. */
export interface TokenBucket {
  /**
   * Takes `bytes` now and returns in how many milliseconds they may go. Taking is never refused: what is taken too
   * early is a debt. Less than zero gives back, and zero only asks how long the debt lasts.
   */
  take(bytes: number): number;
  /** Bytes that may go at once; less than zero while there is a debt. */
  level(): number;
  /** Whether it is as if it had just been made. */
  isFull(): boolean;
}

/** What may go at once after a pause: enough to make up for a late timer, too little to be felt as a burst. */
const burstSeconds = 0.1;

/** A rate of Infinity lets everything through. `now` is in milliseconds. */
export function createTokenBucket(bytesPerSecond: number, now: () => number): TokenBucket {
  const most = bytesPerSecond * burstSeconds;
  let tokens = most;
  let filledAt = now();
  const fill = () => {
    const time = now();
    // A clock that is set back fills nothing.
    if (time > filledAt) tokens += ((time - filledAt) / 1000) * bytesPerSecond;
    tokens = Math.min(tokens, most);
    filledAt = time;
  };
  return {
    take(bytes) {
      fill();
      tokens -= bytes;
      return tokens >= 0 ? 0 : (-tokens / bytesPerSecond) * 1000;
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
