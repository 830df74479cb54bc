import type { Context } from '../context.ts';
import type { Database } from '../engines/database/database.ts';
import type { Measures, Reports } from '../engines/parent/parent.ts';
import { openPrivatePort, type PrivatePage, type PrivatePort } from '../http/private-port.ts';
import { livez } from '../http/readiness.ts';
import { livezOfAll, measuresOfAll, readyzOfAll } from './worker-reports.ts';

/** What one kind of node says of itself. */
export interface NodePages {
  readonly readyz: () => Promise<PrivatePage>;
  readonly wrongPrices: () => number;
  readonly databases: readonly Database[];
  /** See `ProcessMetricsOptions`. */
  readonly wasScannerUp?: (() => boolean | null) | undefined;
  readonly openMetrics: (sources: MetricsSources) => Promise<() => Promise<PrivatePage>>;
}

/** What concerns this process, or all workers. */
export interface MetricsSources {
  readonly measure: () => Promise<Measures>;
  readonly isReady: () => Promise<boolean>;
}

/**
 * Opens the private port, or returns null if METRICS_PORT is not set. These pages exist only there: on the public port
 * `/readyz` would reveal to everyone what is broken, and write for every request. Workers share the port, and each of
 * them responds for all.
 */
export async function openPagesOfNode(
  { config, parent, tally, log }: Pick<Context, 'config' | 'parent' | 'tally' | 'log'>,
  { readyz, wrongPrices, databases, wasScannerUp, openMetrics }: NodePages,
): Promise<PrivatePort | null> {
  if (config.metrics === null) return null;
  // Loaded only where it is used.
  const { createProcessMetrics } = await import('./process-metrics.ts');
  const labels = {
    ...(parent && { worker: String(parent.number) }),
    ...(config.region !== null && { region: config.region }),
  };
  const processMetrics = createProcessMetrics({ labels, log, databases, wasScannerUp });
  const own: Reports = {
    livez,
    readyz,
    metrics: async () => ({ tally, wrongPrices: wrongPrices(), process: await processMetrics.read() }),
  };
  parent?.onReport(own);
  const readyzPage = parent ? () => readyzOfAll(parent) : readyz;
  const metrics = await openMetrics({
    measure: parent ? () => measuresOfAll(parent) : own.metrics,
    isReady: async () => (await readyzPage()).status === 200,
  });
  const pages = { '/livez': parent ? () => livezOfAll(parent) : livez, '/readyz': readyzPage, '/metrics': metrics };
  const port = await openPrivatePort(pages, config.metrics, log);
  return {
    ...port,
    async [Symbol.asyncDispose]() {
      processMetrics[Symbol.dispose]();
      await port[Symbol.asyncDispose]();
    },
  };
}
