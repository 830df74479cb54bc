import type { Logger } from 'pino';
import { checkSecret } from './accounts/api-key.ts';
import { buildApp } from './app.ts';
import { checkPrices, checkProvider } from './billing/provider.ts';
import type { Config } from './config/config.ts';
import { workerRole } from './config/workers.ts';
import { type Context, openContext } from './context.ts';
import { reasonOf } from './email/failure-reason.ts';
import { greeting } from './greeting.ts';
import { jobs } from './jobs/schedule.ts';
import { checkScanner } from './moderation/scanner-health.ts';
import { serverPages } from './monitoring/server-metrics.ts';
import { requireOwnStorage } from './storage/blobs/storage-owner.ts';

/** A server with everything: the app, the API, public links, jobs and emails. */
export async function openWholeNode(config: Config, log: Logger, stopping: AbortSignal) {
  const context = await openContext(config, log, { keepsReserve: true });
  return {
    context,
    pages: serverPages(context, jobs, stopping),
    checkStorage: async () => void (await requireOwnStorage(context)),
    async open() {
      await checkSecret(context);
      await checkProvider(context);
      return buildApp(context);
    },
    afterStart() {
      if (context.scanner.scans) void checkScanner(context);
      void checkPrices(context);
      if ((workerRole()?.number ?? 1) === 1) void checkMail(context);
    },
    greeting: (address: string) => greeting(context, address),
  };
}

/** Otherwise the first one to learn it is a person who waits for a code. */
async function checkMail({ mail, log }: Context): Promise<void> {
  await mail.check?.().catch((error: unknown) => {
    log.warn({ reason: reasonOf(error) }, 'the mail server of MAIL_URL cannot be used: emails wait until it can');
  });
}
