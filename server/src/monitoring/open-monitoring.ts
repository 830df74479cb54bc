import type { Context } from '../context.ts';
import type { PrivatePort } from '../http/private-port.ts';
import { createReadiness } from '../http/readiness.ts';
import { wasScannerUp } from '../moderation/scanner-health.ts';
import type { Job } from '../jobs/job.ts';
import { openPagesOfNode } from './pages-of-node.ts';

/** Opens the private port of a server, or returns null if METRICS_PORT is not set. */
export function openMonitoring(
  context: Context,
  jobs: readonly Job[],
  stopping?: AbortSignal,
): Promise<PrivatePort | null> {
  return openPagesOfNode(context, {
    readyz: createReadiness(context, stopping),
    databases: [context.db],
    wasScannerUp: context.scanner.scans ? () => wasScannerUp(context) : undefined,
    async openMetrics(sources) {
      const { createMetrics } = await import('./metrics.ts');
      return createMetrics(context, jobs, sources);
    },
  });
}
