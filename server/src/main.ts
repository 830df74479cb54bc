/** The process: read the environment, open, listen, close on a signal. */
import { pino } from 'pino';
import { checkSecret } from './accounts/api-key.ts';
import { buildApp } from './app.ts';
import { checkPrices } from './billing/check-prices.ts';
import { type Config, ConfigError, loadConfig, UnusableSetting, openSetting } from './config.ts';
import { type Context, openContext } from './context.ts';
import { OtherSchema } from './engines/database/database.ts';
import { checkScanner } from './files/scanner-health.ts';
import { openWatching } from './maintenance/open-watching.ts';
import { jobs } from './maintenance/schedule.ts';
import { checkStorage } from './maintenance/service-id.ts';
import { originsOf } from './origins.ts';

const shutdownMs = 30_000;

async function serve(config: Config): Promise<void> {
  const log = pino({ base: null }, pino.destination(2));
  const context = await openContext(config, log);
  process.once('uncaughtException', (error) => void endBy(error, context));
  await checkSecret(context);
  const app = await buildApp(context);
  await openSetting('HOST or PORT', () => app.listen({ host: config.host, port: config.port }));
  const watching = await openSetting('METRICS_HOST or METRICS_PORT', () => openWatching(context, jobs));
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  context.origins = originsOf(config, port);
  const open = config.publicUrl === null ? '' : `, open ${config.publicUrl}`;
  await checkStorage(context).catch((error: unknown) => log.error(`ALARM: ${String(error)}`));
  if (context.scanner.scans) void checkScanner(context);
  void checkPrices(context);
  console.log(`${config.site.name} is listening on ${addressFor(config.host, port)}${open}`);
  if (watching) log.info({ url: watching.url }, 'the private port is open');

  let closing = false;
  const close = (): void => {
    if (closing) process.exit(1);
    closing = true;
    // What is in flight may finish, up to a deadline.
    setTimeout(() => app.server.closeAllConnections(), shutdownMs).unref();
    void app
      .close()
      .then(() => watching?.[Symbol.asyncDispose]())
      .then(() => context[Symbol.asyncDispose]());
  };
  process.on('SIGTERM', close).on('SIGINT', close);
}

/** What nothing caught leaves nobody knows what behind, so the process ends, as soon as the failure is told. */
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
  // What the operator can mend is said in one sentence; anything else comes with its trace.
  const expected = [ConfigError, UnusableSetting, OtherSchema].some((kind) => error instanceof kind);
  console.error(expected && error instanceof Error ? error.message : error);
  process.exit(1);
}
