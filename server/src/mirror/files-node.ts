import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { version } from '../config/version.ts';
import type { NodePages } from '../monitoring/open-monitoring.ts';
import { checkMigrations, createReadinessPage } from '../monitoring/readiness.ts';
import { readMark, refuseOther, serviceIdFact } from '../storage/blobs/storage-owner.ts';
import { readSchemaChange } from '../storage/db/migrate.ts';
import { readFact } from '../storage/db/service-facts.ts';
import { type FilesContext, openFilesContext } from './context.ts';
import { buildFilesApp } from './routes.ts';

export async function openFilesNode(config: Config, log: Logger, stopping: AbortSignal) {
  const context = await openFilesContext(config, log);
  return {
    context,
    pages: filesPages(context, stopping),
    checkStorage: () => checkFilesStorage(context),
    open: async () => buildFilesApp(context, stopping),
    afterStart() {},
    greeting: async (address: string) =>
      `${config.site.name} ${version} is listening on ${address} and serves only the files of ${config.origins.app}`,
  };
}

async function checkFilesStorage({ primary, replica, blobs }: Pick<FilesContext, 'primary' | 'replica' | 'blobs'>) {
  const own = await readFact(replica, serviceIdFact).catch(() => readFact(primary, serviceIdFact));
  if (own && own.at > 0) refuseOther(await readMark(blobs), own);
}

/** One of the two databases is enough. The storage is only read. */
export function filesPages({ primary, replica, replicaWatch, blobs, log }: FilesContext, stopping?: AbortSignal) {
  const checks = {
    database: async () => {
      const { problems } = replicaWatch;
      if (problems.replica !== null && problems.primary !== null) throw new Error(problems.primary);
    },
    migrations: async () => checkMigrations(await readSchemaChange(replica).catch(() => readSchemaChange(primary))),
    storage: () => checkFilesStorage({ primary, replica, blobs }),
  };
  return {
    readyz: createReadinessPage({ checks, notes: async () => replicaWatch.problems, log }, stopping),
    databases: [primary, replica],
    metrics: [
      ['database_up', '1 while the primary database answers.', () => Number(replicaWatch.problems.primary === null)],
      ['replica_used', '1 while links are looked up on the replica.', () => Number(replicaWatch.isFresh())],
      [
        'replica_stale_seconds',
        'For how long the replica may lack changes; +Inf if unknown.',
        () => replicaWatch.staleFor() / 1000,
      ],
    ],
  } satisfies NodePages;
}
