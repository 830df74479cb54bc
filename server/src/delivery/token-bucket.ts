export interface TokenBucket {
  /** Never refused: returns in how many milliseconds the bytes may go. A negative number refunds. */
  take(bytes: number): number;
  /** Bytes that may go at once; negative while there is a debt. */
  level(): number;
  isFull(): boolean;
}

const burstSeconds = 0.1;

/** `rate` is in bytes per second; Infinity lets everything through. `now` is in milliseconds. */
export function createTokenBucket(rate: number, now: () => number): TokenBucket {
  const most = rate * burstSeconds;
  let tokens = most;
  let filledAt = now();
  const fill = () => {
    const time = now();
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
