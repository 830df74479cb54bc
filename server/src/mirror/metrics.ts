import { Gauge } from '@prometheus-io/client';
import type { PrivatePage } from '../http/private-port.ts';
import { createNodeMetrics } from '../monitoring/node-metrics.ts';
import type { MetricsSources } from '../monitoring/pages-of-node.ts';
import type { FilesContext } from './context.ts';

/** Metrics of a node for public links: the process and its two databases. */
export function createFilesMetrics(context: FilesContext, sources: MetricsSources): () => Promise<PrivatePage> {
  const { register, page } = createNodeMetrics(context, sources);
  const gauge = (name: string, help: string) => new Gauge({ name: `holdfast_${name}`, help, registers: [register] });
  const primaryUp = gauge('database_up', '1 while the primary database answers.');
  const replicaUsed = gauge('replica_used', '1 while links are looked up on the replica.');
  const staleFor = gauge('replica_stale_seconds', 'For how long the replica may lack changes; +Inf if unknown.');
  return async () => {
    const { replicaWatch } = context;
    primaryUp.set(replicaWatch.problems.primary === null ? 1 : 0);
    replicaUsed.set(replicaWatch.isFresh() ? 1 : 0);
    staleFor.set(replicaWatch.staleFor() / 1000);
    return page();
  };
}
