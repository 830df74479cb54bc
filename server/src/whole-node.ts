/** A server with everything: the app, the API, public links, jobs and emails. */
import type { Logger } from 'pino';
import { checkSecret } from './accounts/api-key.ts';
import { buildApp } from './app.ts';
import { checkPrices, checkProvider } from './billing/provider.ts';
import type { Config } from './config/config.ts';
import { version } from './config/version.ts';
import { type Context, openContext } from './context.ts';
import { requireOwnStorage } from './storage/blobs/storage-owner.ts';
import { createReadiness } from './monitoring/readiness.ts';
import { openMonitoring } from './monitoring/open-monitoring.ts';
import { jobs } from './jobs/schedule.ts';
import { checkScanner } from './moderation/scanner-health.ts';
import { ownerLink } from './accounts/invitations.ts';

export async function openWholeNode(config: Config, log: Logger) {
  const context = await openContext(config, log);
  return {
    context,
    checkStorage: async () => void (await requireOwnStorage(context)),
    async open() {
      await checkSecret(context);
      await checkProvider(context);
      return buildApp(context);
    },
    openMonitoring: (stopping: AbortSignal) => openMonitoring(context, jobs, stopping),
    readyz: createReadiness(context),
    afterStart() {
      if (context.scanner.scans) void checkScanner(context);
      void checkPrices(context);
    },
    greeting: (address: string) => greeting(context, address),
  };
}

/** Returns the lines that a start prints: its version and address, the link of the first owner, and the folder of its data. */
async function greeting(context: Context, address: string): Promise<string> {
  const { config } = context;
  const open = config.publicUrl === null ? '' : `, open ${config.publicUrl}`;
  const found = await ownerLink(context).catch(() => null);
  const isWhole =
    config.database.engine === 'sqlite' &&
    config.blobs.engine === 'disk' &&
    config.blobs.folder.startsWith(config.dataDir);
  return [
    `${config.site.name} ${version} is listening on ${address}${open}`,
    ...(found ? [`Nobody has an account yet. Make yours, without limits: ${found.link}`] : []),
    ...(isWhole ? [`Everything is kept in ${config.dataDir}`] : []),
  ].join('\n');
}
