type Tell = (error: unknown) => void;

let tell: Tell = () => {};

/** Tells the operator's error reporting, where there is one, of a failure that nobody expected. */
export function reportFailure(error: unknown): void {
  // A browser has events for what is no failure of ours: these hold no error.
  if (error) tell(error);
}

/**
 * Hears from now on of what nothing catches, too. `dsn` is where to tell it; null is nowhere. What tells it is large, so
 * it is loaded when the page has had its turn, and what failed before then is told then.
 */
export function watchForFailures(dsn: string | null): void {
  if (dsn === null) return;
  const waiting: unknown[] = [];
  tell = (error) => void waiting.push(error);
  addEventListener('error', ({ error }) => reportFailure(error));
  addEventListener('unhandledrejection', ({ reason }) => reportFailure(reason));
  whenPainted(() => void beginToTell(dsn, waiting));
}

async function beginToTell(dsn: string, waiting: readonly unknown[]): Promise<void> {
  tell = await openReports(dsn);
  for (const error of waiting) tell(error);
}

/** A report that cannot be made must not become a failure to report. */
async function openReports(dsn: string): Promise<Tell> {
  try {
    const [{ openSentry }, { recordPage }] = await Promise.all([import('./sentry.ts'), import('./sentry-replay.ts')]);
    return openSentry(dsn, recordPage());
  } catch {
    return () => {};
  }
}

/** After the first paint, so that nothing of this holds it up. */
function whenPainted(then: () => void): void {
  const painted = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return;
    painted.disconnect();
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(then, { timeout: 5_000 });
    else setTimeout(then, 1_000);
  });
  painted.observe({ type: 'paint', buffered: true });
}
