const windowMs = 60_000;
const mostInAll = 1_000;

/** No flood of one kind of line hides another kind. Each minute ends with the number of lines left out. */
export function createLogRateLimit<Line>(write: (line: Line) => void, more: (lines: number) => void) {
  const counts = new Map<string, number>();
  let left = 0;
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(timer);
    timer = undefined;
    if (left > 0) more(left);
    counts.clear();
    left = 0;
  };
  return {
    write(kind: string, mostOf: Readonly<Record<string, number>>, line: Line): void {
      timer ??= setTimeout(close, windowMs).unref();
      const limits = Object.entries({ ...mostOf, '': mostInAll }).map(
        ([key, most]) => [`${kind} ${key}`, most] as const,
      );
      if (limits.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return void (left += 1);
      for (const [key] of limits) counts.set(key, (counts.get(key) ?? 0) + 1);
      write(line);
    },
    [Symbol.dispose]: close,
  };
}
