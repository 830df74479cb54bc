import type { Context } from '../context.ts';
import { openPrivatePort } from '../http/private-port.ts';
import { createReadiness, livez } from '../http/readiness.ts';
import type { Job } from './job.ts';

/**
 * Opens the private port, or returns null if METRICS_PORT is not set. These pages exist only there: on the public port
 * `/readyz` would reveal to everyone what is broken, and write for every request.
 */
export async function openMonitoring(
  context: Context,
  jobs: readonly Job[],
  stopping?: AbortSignal,
): Promise<(AsyncDisposable & { readonly url: string }) | null> {
  const { metrics } = context.config;
  if (metrics === null) return null;
  // Loaded only where it is used.
  const { createMetrics } = await import('./metrics.ts');
  const pages = {
    '/livez': livez,
    '/readyz': await createReadiness(context, stopping),
    '/metrics': createMetrics(context, jobs),
  };
  return openPrivatePort(pages, metrics, context.log);
}
