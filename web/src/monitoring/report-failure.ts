type Tell = (error: unknown) => void;

let tell: Tell = () => {};

/** Reports an unexpected failure to the operator's error tracking, if configured. */
export function reportFailure(error: unknown): void {
  // Browsers also fire events that are not failures of this app; those contain no error.
  if (error) tell(error);
}

/**
 * Starts reporting failures, including uncaught ones. `dsn` is the address for reports, or null for none. The reporting
 * code is large, so it is loaded after the first paint; failures before then are reported once it has loaded.
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

/** A failure to report must not become another failure to report. */
async function openReports(dsn: string): Promise<Tell> {
  try {
    const [{ openBrowserSentry }, { recordPage }] = await Promise.all([
      import('./sentry.ts'),
      import('./sentry-replay.ts'),
    ]);
    return openBrowserSentry(dsn, recordPage());
  } catch {
    return () => {};
  }
}

/** Runs after the first paint, so that reporting does not delay it. */
function whenPainted(then: () => void): void {
  const painted = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return;
    painted.disconnect();
    // Safari has no `requestIdleCallback`.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(then, { timeout: 5_000 });
    else setTimeout(then, 1_000);
  });
  painted.observe({ type: 'paint', buffered: true });
}
