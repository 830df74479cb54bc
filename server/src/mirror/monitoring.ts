import type { FilesContext } from '../context.ts';
import { readSchemaChange } from '../engines/database/schema-change.ts';
import type { PrivatePort } from '../http/private-port.ts';
import { checkMigrations, readinessPage } from '../http/readiness.ts';
import { openPagesOfNode } from '../maintenance/pages-of-node.ts';
import type { KeptHits } from './kept-hits.ts';

/** Opens the private port of a node for public links, or returns null if METRICS_PORT is not set. */
export function openFilesMonitoring(
  context: FilesContext,
  hits: KeptHits,
  stopping?: AbortSignal,
): Promise<PrivatePort | null> {
  return openPagesOfNode(context, {
    readyz: createFilesReadiness(context, hits, stopping),
    databases: [context.primary, context.replica],
    async openMetrics(sources) {
      const { createFilesMetrics } = await import('./metrics.ts');
      return createFilesMetrics(context, hits, sources);
    },
  });
}

/** One of the two databases is enough. The storage is only read: this node may have no permission to write there. */
export function createFilesReadiness(context: FilesContext, hits: KeptHits, stopping?: AbortSignal) {
  const { primary, replica, replicaWatch, blobs, log } = context;
  const checks = {
    database: async () => {
      const { problems } = replicaWatch;
      if (problems.replica !== null && problems.primary !== null) throw new Error(problems.primary);
    },
    migrations: async () => checkMigrations(await readSchemaChange(replica).catch(() => readSchemaChange(primary))),
    storage: () => blobs.serviceId(),
  };
  const notes = async () => {
    const { problems } = replicaWatch;
    return { replica: problems.replica, primary: problems.primary, hits: hits.state.problem };
  };
  return readinessPage({ checks, notes, log }, stopping);
}
