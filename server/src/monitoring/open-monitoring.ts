import type { Context } from '../context.ts';
import { version } from '../config/version.ts';
import { workerRole } from '../config/workers.ts';
import { openPrivatePort, type PrivatePage, type PrivatePort } from './private-port.ts';
import { createReadiness, livez } from './readiness.ts';
import type { Job } from '../jobs/job.ts';
import { countAlarms } from '../lib/open-log.ts';
import { processCounts } from '../lib/process-counts.ts';
import { type ConnectionCounts, type Database, readConnections } from '../storage/db/database.ts';
import type { Metric } from './metrics.ts';
import { createServerMetrics } from './server-metrics.ts';

/** Metrics and readiness of one kind of node. */
export interface NodePages {
  readonly readyz: () => Promise<PrivatePage>;
  readonly databases: readonly Database[];
  /** Metrics that only this kind of node has. */
  readonly metrics: readonly Metric[];
  /** Called before the metrics are read. */
  readonly refresh?: () => Promise<void>;
}

type Parts = Pick<Context, 'config' | 'log'>;

/** Opens the private port of a server, or returns null if METRICS_PORT is not set. */
export function openMonitoring(
  context: Context,
  jobs: readonly Job[],
  stopping?: AbortSignal,
): Promise<PrivatePort | null> {
  const readyz = createReadiness(context, stopping);
  return openPagesOfNode(context, { readyz, databases: [context.db], ...createServerMetrics(context, jobs) });
}

/** On the public port these pages would reveal to everyone what is broken. Each of several workers has its own. */
export async function openPagesOfNode(parts: Parts, pages: NodePages): Promise<PrivatePort | null> {
  const { config, log } = parts;
  if (config.metrics === null) return null;
  // Loaded only where they are used.
  const [{ createMetricsPage }, { countHttp }] = await Promise.all([
    import('./metrics.ts'),
    import('./http-metrics.ts'),
  ]);
  const number = workerRole()?.number;
  const http = countHttp();
  const { register, page } = createMetricsPage([...ofEveryNode(parts, pages), ...http.metrics, ...pages.metrics], {
    ...(number !== undefined && { worker: String(number) }),
    ...(config.region !== null && { region: config.region }),
  });
  register.registerMetric(http.calls);
  const metrics = async () => {
    await pages.refresh?.();
    return page();
  };
  const { host, port: first } = config.metrics;
  const port = await openPrivatePort(
    { '/livez': livez, '/readyz': pages.readyz, '/metrics': metrics },
    { host, port: first === 0 ? 0 : first + (number ?? 1) - 1 },
    log,
  );
  return {
    ...port,
    async [Symbol.asyncDispose]() {
      http[Symbol.dispose]();
      await port[Symbol.asyncDispose]();
    },
  };
}

function ofEveryNode({ log }: Parts, { readyz, databases }: NodePages): readonly Metric[] {
  const always: readonly Metric[] = [
    ['build_info', 'Always 1.', () => [[{ version }, 1]], 'version'],
    ['ready', '1 while /readyz returns 200.', async () => Number((await readyz()).status === 200)],
    ['alarms_total', 'Lines with ALARM in the log of this process.', () => countAlarms(log)],
    ['uploads_total', 'Files stored by this process.', () => processCounts.uploads],
    ['uploaded_bytes_total', 'Their bytes.', () => processCounts.uploadedBytes],
    ['downloads_total', 'Downloads started by this process that count as hits.', () => processCounts.downloads],
    [
      'connections_refused_total',
      'Connections beyond the limits of this process.',
      () => processCounts.refusedConnections,
    ],
  ];
  const connections = () => databases.map((db) => readConnections(db)).filter((counts) => counts !== null);
  if (connections().length === 0) return always;
  const sum = (name: keyof ConnectionCounts) => connections().reduce((total, counts) => total + counts[name], 0);
  return [
    ...always,
    [
      'database_connections',
      'Connections of this process to PostgreSQL, by state: used or idle.',
      () => (['used', 'idle'] as const).map((state) => [{ state }, sum(state)] as const),
      'state',
    ],
    [
      'database_calls_waiting',
      'Calls of this process that wait for one of its connections to PostgreSQL.',
      () => sum('waiting'),
    ],
  ];
}
