/** A node that serves public links beside a read replica. It changes no schema, runs no job and sends no email. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { openSetting } from '../config/setting-errors.ts';
import { version } from '../config/version.ts';
import { openFilesContext } from '../context.ts';
import type { ServerNode } from '../http/server-node.ts';
import { checkFilesStorage } from './check-storage.ts';
import { openKeptHits } from './kept-hits.ts';
import { createFilesReadiness, openFilesMonitoring } from './monitoring.ts';
import { buildFilesApp } from './routes.ts';

export async function openFilesNode(config: Config, log: Logger): Promise<ServerNode> {
  const context = await openFilesContext(config, log);
  const hits = await openSetting('DATA_DIR', () =>
    openKeptHits({ context, primary: context.primary, root: join(config.dataDir, 'hits') }),
  );
  return {
    context,
    checkStorage: () => checkFilesStorage(context),
    open: () => buildFilesApp(context, hits),
    openMonitoring: (stopping) => openFilesMonitoring(context, hits, stopping),
    readyz: createFilesReadiness(context, hits),
    afterStart() {},
    greeting: async (address) =>
      `${config.site.name} ${version} is listening on ${address} and serves only the files of ${context.origins.app}`,
  };
}
