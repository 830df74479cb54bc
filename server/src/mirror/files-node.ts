/** A node that serves public links beside a read replica. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { version } from '../config/version.ts';
import { OtherStorage, serviceIdFact } from '../storage/blobs/storage-owner.ts';
import { readSchemaChange } from '../storage/db/migrate.ts';
import { readFact } from '../storage/db/service-facts.ts';
import type { PrivatePort } from '../monitoring/private-port.ts';
import { checkMigrations, readinessPage } from '../monitoring/readiness.ts';
import { openPagesOfNode } from '../monitoring/open-monitoring.ts';
import { type FilesContext, openFilesContext } from './context.ts';
import { filesMetrics } from './metrics.ts';
import { buildFilesApp } from './routes.ts';

export async function openFilesNode(config: Config, log: Logger) {
  const context = await openFilesContext(config, log);
  return {
    context,
    checkStorage: () => checkFilesStorage(context),
    open: () => buildFilesApp(context),
    openMonitoring: (stopping: AbortSignal) => openFilesMonitoring(context, stopping),
    readyz: createFilesReadiness(context),
    afterStart() {},
    greeting: async (address: string) =>
      `${config.site.name} ${version} is listening on ${address} and serves only the files of ${context.config.origins.app}`,
  };
}

/** @throws {OtherStorage} when database and storage have the ids of different services. */
export async function checkFilesStorage({ replica, blobs }: Pick<FilesContext, 'replica' | 'blobs'>): Promise<void> {
  const own = await readFact(replica, serviceIdFact);
  const stored = await blobs.serviceId();
  if (own && stored !== null && stored !== own.value) throw new OtherStorage(stored, own.value);
}

export function openFilesMonitoring(context: FilesContext, stopping?: AbortSignal): Promise<PrivatePort | null> {
  return openPagesOfNode(context, {
    readyz: createFilesReadiness(context, stopping),
    databases: [context.primary, context.replica],
    metrics: filesMetrics(context),
  });
}

/** One of the two databases is enough. The storage is only read. */
export function createFilesReadiness(context: FilesContext, stopping?: AbortSignal) {
  const { primary, replica, replicaWatch, blobs, log } = context;
  const checks = {
    database: async () => {
      const { problems } = replicaWatch;
      if (problems.replica !== null && problems.primary !== null) throw new Error(problems.primary);
    },
    migrations: async () => checkMigrations(await readSchemaChange(replica).catch(() => readSchemaChange(primary))),
    storage: () => blobs.serviceId(),
  };
  return readinessPage({ checks, notes: async () => replicaWatch.problems, log }, stopping);
}
