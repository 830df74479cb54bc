import type { Context } from '../context.ts';
import { openPrivatePort } from '../http/private-port.ts';
import { createReadiness, livez } from '../http/readiness.ts';
import type { Job } from './job.ts';

/**
 * Opens the private port, or answers null where METRICS_PORT is not set. It is the only place where these pages are: on
 * the public one `/readyz` would tell everybody what is broken, and write for whoever asks.
 */
export async function openWatching(
  context: Context,
  jobs: readonly Job[],
): Promise<(AsyncDisposable & { readonly url: string }) | null> {
  const { metrics } = context.config;
  if (metrics === null) return null;
  // Loaded only where it is wanted.
  const { createMetrics } = await import('./metrics.ts');
  const pages = {
    '/livez': livez,
    '/readyz': await createReadiness(context),
    '/metrics': createMetrics(context, jobs),
  };
  return openPrivatePort(pages, metrics, context.log);
}
