export interface LogRateLimit<Line> extends Disposable {
  write(key: string, most: number, line: Line): void;
}

export interface Sink<Line> {
  readonly write: (line: Line) => void;
  readonly more: (lines: number, keys: number) => void;
}

const windowMs = 60_000;
/** Lines of all keys in a minute: somebody with many addresses cannot fill the disk either. */
const mostInAll = 1_000;

/** Limits the lines for a key and in all, and tells once a minute, and when it is closed, what was left out. */
export function createLogRateLimit<Line>({ write, more }: Sink<Line>): LogRateLimit<Line> {
  let counts = new Map<string, number>();
  let [written, left] = [0, 0];
  let leftOf = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(timer);
    timer = undefined;
    if (left > 0) more(left, leftOf.size);
    [counts, leftOf, written, left] = [new Map(), new Set(), 0, 0];
  };
  return {
    write(key, most, line) {
      timer ??= setTimeout(close, windowMs).unref();
      const count = counts.get(key) ?? 0;
      if (count >= most || written >= mostInAll) {
        left += 1;
        // Both stay small: a key is kept only if it has written a line in this minute.
        if (count > 0) leftOf.add(key);
        return;
      }
      counts.set(key, count + 1);
      written += 1;
      write(line);
    },
    [Symbol.dispose]: close,
  };
}
