import type { Context } from '../context.ts';
import { workerRole } from '../config/workers.ts';
import type { Database } from '../storage/db/database.ts';
import { openPrivatePort, type PrivatePage, type PrivatePort } from '../http/private-port.ts';
import { livez } from '../http/readiness.ts';

/** What one kind of node says of itself. */
export interface NodePages {
  readonly readyz: () => Promise<PrivatePage>;
  readonly databases: readonly Database[];
  /** See `ProcessMetricsOptions`. */
  readonly wasScannerUp?: (() => boolean | null) | undefined;
  readonly openMetrics: (sources: MetricsSources) => Promise<() => Promise<PrivatePage>>;
}

export interface MetricsSources {
  /** Returns the metrics of the process itself. */
  readonly readProcess: () => Promise<string>;
  readonly isReady: () => Promise<boolean>;
}

/**
 * Opens the private port, or returns null if METRICS_PORT is not set. These pages exist only there: on the public port
 * `/readyz` would reveal to everyone what is broken, and write for every request. Each of several workers has its own.
 */
export async function openPagesOfNode(
  { config, log }: Pick<Context, 'config' | 'log'>,
  { readyz, databases, wasScannerUp, openMetrics }: NodePages,
): Promise<PrivatePort | null> {
  if (config.metrics === null) return null;
  // Loaded only where it is used.
  const { createProcessMetrics } = await import('./process-metrics.ts');
  const number = workerRole()?.number;
  const labels = {
    ...(number !== undefined && { worker: String(number) }),
    ...(config.region !== null && { region: config.region }),
  };
  const processMetrics = createProcessMetrics({ labels, log, databases, wasScannerUp });
  const metrics = await openMetrics({
    readProcess: processMetrics.read,
    isReady: async () => (await readyz()).status === 200,
  });
  const { host, port: first } = config.metrics;
  const port = await openPrivatePort(
    { '/livez': livez, '/readyz': readyz, '/metrics': metrics },
    { host, port: first === 0 ? 0 : first + (number ?? 1) - 1 },
    log,
  );
  return {
    ...port,
    async [Symbol.asyncDispose]() {
      processMetrics[Symbol.dispose]();
      await port[Symbol.asyncDispose]();
    },
  };
}
