/** A page's log of the inputs it receives. Times are milliseconds of its own clock. */
export interface InputLog {
  /** Every event of a real input, in the order in which the page's code received them. */
  readonly heard: Heard[];
  /** The browser's own entries (Event Timing), created from 16 ms on, with the time until the next paint. */
  readonly painted: Painted[];
  readonly longTasks: LongTask[];
}

export interface Heard {
  readonly type: string;
  /** Time of the input. */
  readonly at: number;
  /** Time until the page's code received it. */
  readonly delay: number;
}

export interface Painted extends Heard {
  readonly duration: number;
}

export interface LongTask {
  readonly at: number;
  readonly duration: number;
}

/** Evaluated in the page before its own code, so it must be self-contained. The log is the window's `inputLog`. */
export function watchInputs(): void {
  const log: InputLog = { heard: [], painted: [], longTasks: [] };
  Object.assign(window, { inputLog: log });
  const types = ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup', 'wheel'];
  const hear = ({ isTrusted, type, timeStamp }: Event) => {
    if (isTrusted) log.heard.push({ type, at: timeStamp, delay: performance.now() - timeStamp });
  };
  // The very first listener, and a passive one, so that a wheel never waits for it.
  for (const type of types) window.addEventListener(type, hear, { capture: true, passive: true });
  const observe = (options: object, keep: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(keep)).observe(options);
  observe({ type: 'event', durationThreshold: 16, buffered: true }, (entry) => {
    const { name: type, startTime: at, processingStart, duration } = entry as PerformanceEventTiming;
    if (types.includes(type)) log.painted.push({ type, at, delay: processingStart - at, duration });
  });
  observe({ type: 'longtask', buffered: true }, ({ startTime: at, duration }) => log.longTasks.push({ at, duration }));
}
