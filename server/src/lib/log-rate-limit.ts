const windowMs = 60_000;
const mostInAll = 1_000;

/** Each minute ends with the number of lines left out. */
export function createLogRateLimit<Line>(write: (line: Line) => void, more: (lines: number) => void) {
  const counts = new Map<string, number>();
  let [written, left] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(timer);
    timer = undefined;
    if (left > 0) more(left);
    counts.clear();
    [written, left] = [0, 0];
  };
  return {
    write(key: string, most: number, line: Line): void {
      timer ??= setTimeout(close, windowMs).unref();
      const count = counts.get(key) ?? 0;
      if (count >= most || written >= mostInAll) return void (left += 1);
      counts.set(key, count + 1);
      written += 1;
      write(line);
    },
    [Symbol.dispose]: close,
  };
}
