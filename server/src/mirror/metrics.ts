import { Counter, Gauge } from '@prometheus-io/client';
import type { FilesContext } from '../context.ts';
import type { PrivatePage } from '../http/private-port.ts';
import { createNodeMetrics } from '../maintenance/node-metrics.ts';
import type { MetricsSources } from '../maintenance/pages-of-node.ts';
import type { KeptHits } from './kept-hits.ts';

/** Metrics of a node for public links: the process, its two databases, and the hits that it keeps. */
export function createFilesMetrics(
  context: FilesContext,
  hits: KeptHits,
  sources: MetricsSources,
): () => Promise<PrivatePage> {
  const { register, page } = createNodeMetrics(context, sources);
  const registers = [register];
  const gauge = (name: string, help: string) => new Gauge({ name: `holdfast_${name}`, help, registers });
  const primaryUp = gauge('database_up', '1 while the primary database answers.');
  const replicaUsed = gauge('replica_used', '1 while links are looked up on the replica.');
  const staleFor = gauge('replica_stale_seconds', 'For how long the replica may lack changes; +Inf if unknown.');
  const keptBytes = gauge('hits_kept_bytes', 'Hits that wait on the disk for the primary database.');
  const lost = new Counter({ name: 'holdfast_hits_lost_total', help: 'Hits that could not be kept.', registers });
  return async () => {
    const { replicaWatch } = context;
    primaryUp.set(replicaWatch.problems.primary === null ? 1 : 0);
    replicaUsed.set(replicaWatch.isFresh() ? 1 : 0);
    staleFor.set(replicaWatch.staleFor() / 1000);
    keptBytes.set(hits.state.keptBytes);
    lost.reset();
    lost.inc(hits.state.lost);
    return page();
  };
}
