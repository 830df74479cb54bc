/** The process: read the environment, open, listen, close on a signal. */
import { pino } from 'pino';
import { checkSecret } from './accounts/api-key.ts';
import { buildApp } from './app.ts';
import { checkPrices } from './billing/check-prices.ts';
import type { Config } from './config/config.ts';
import { ConfigError, UnusableSetting, openSetting } from './config/setting-errors.ts';
import { loadConfig } from './config/read-environment.ts';
import { type Context, openContext } from './context.ts';
import { OtherSchema } from './engines/database/database.ts';
import { checkScanner } from './moderation/scanner-health.ts';
import { keepWebApp } from './site/web-app.ts';
import { openMonitoring } from './maintenance/open-monitoring.ts';
import { jobs } from './maintenance/schedule.ts';
import { checkStorage } from './maintenance/storage-owner.ts';
import { originsOf } from './config/origins.ts';

const shutdownMs = 30_000;

async function serve(config: Config): Promise<void> {
  const log = pino({ base: null }, pino.destination(2));
  const context = await openContext(config, log);
  process.once('uncaughtException', (error) => void endBy(error, context));
  await checkSecret(context);
  const app = await buildApp(context);
  await openSetting('HOST or PORT', () => app.listen({ host: config.host, port: config.port }));
  const monitoring = await openSetting('METRICS_HOST or METRICS_PORT', () => openMonitoring(context, jobs));
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  context.origins = originsOf(config, port);
  const open = config.publicUrl === null ? '' : `, open ${config.publicUrl}`;
  await checkStorage(context).catch((error: unknown) => log.error(`ALARM: ${String(error)}`));
  if (context.scanner.scans) void checkScanner(context);
  void checkPrices(context);
  void keepWebApp(context);
  console.log(`${config.site.name} is listening on ${addressFor(config.host, port)}${open}`);
  if (monitoring) log.info({ url: monitoring.url }, 'the private port is open');

  let closing = false;
  const close = (): void => {
    if (closing) process.exit(1);
    closing = true;
    // Requests in flight may finish, up to a deadline.
    setTimeout(() => app.server.closeAllConnections(), shutdownMs).unref();
    void app
      .close()
      .then(() => monitoring?.[Symbol.asyncDispose]())
      .then(() => context[Symbol.asyncDispose]());
  };
  process.on('SIGTERM', close).on('SIGINT', close);
}

/** An uncaught error leaves an unknown state behind, so the process ends as soon as the failure is reported. */
async function endBy(error: unknown, { reports }: Context): Promise<void> {
  console.error(error);
  reports.report(error, 'process');
  await reports[Symbol.asyncDispose]();
  process.exit(1);
}

function addressFor(host: string, port: number): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  return `http://${local ? 'localhost' : host}:${port}`;
}

try {
  await serve(loadConfig());
} catch (error) {
  // An error that the operator can fix is one sentence; any other is printed with its stack trace.
  const expected = [ConfigError, UnusableSetting, OtherSchema].some((kind) => error instanceof kind);
  console.error(expected && error instanceof Error ? error.message : error);
  process.exit(1);
}
