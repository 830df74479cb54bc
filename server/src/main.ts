/** The process: read the environment, open, listen, close on a signal. */
import { checkSecret } from './accounts/api-key.ts';
import { buildApp } from './app.ts';
import { checkPrices } from './billing/check-prices.ts';
import type { Config } from './config/config.ts';
import { ConfigError, UnusableSetting, openSetting } from './config/setting-errors.ts';
import { exposedFiles } from './config/private-files.ts';
import { loadConfig } from './config/read-environment.ts';
import { type Context, openContext } from './context.ts';
import { DatabaseUnavailable, OtherSchema } from './engines/database/database.ts';
import { openLog } from './lib/open-log.ts';
import { standardError } from './lib/standard-error.ts';
import { checkScanner } from './moderation/scanner-health.ts';
import { keepWebApp } from './site/web-app.ts';
import { sendBuffersAreUnlimited } from './http/bytes/send-buffer-limit.ts';
import { checkClockAtStart } from './maintenance/check-clock.ts';
import { openMonitoring } from './maintenance/open-monitoring.ts';
import { jobs } from './maintenance/schedule.ts';
import { checkStorage } from './maintenance/storage-owner.ts';
import { originsOf } from './config/origins.ts';

const shutdownMs = 30_000;
/** Node's default of 511 makes some of a burst of new visitors wait a second or more. The system may allow fewer. */
const backlog = 4096;

// Everything that the server writes is readable by its user alone, in a data folder that is open to others too.
process.umask(0o077);

async function serve(config: Config): Promise<void> {
  const log = openLog(standardError);
  const context = await openContext(config, log);
  process.once('uncaughtException', (error) => void endBy(error, context));
  await checkSecret(context);
  await checkClockAtStart(context);
  const stopping = new AbortController();
  const app = await buildApp(context, { stopping: stopping.signal });
  await openSetting('HOST or PORT', () => app.listen({ host: config.host, port: config.port, backlog }));
  const monitoring = await openSetting('METRICS_HOST or METRICS_PORT', () =>
    openMonitoring(context, jobs, stopping.signal),
  );
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  context.origins = originsOf(config, port);
  const open = config.publicUrl === null ? '' : `, open ${config.publicUrl}`;
  await warnOfExposedFiles(context);
  await checkStorage(context).catch((error: unknown) => log.error(`ALARM: ${String(error)}`));
  if (context.scanner.scans) void checkScanner(context);
  void checkPrices(context);
  void keepWebApp(context);
  if (config.publicUrl !== null && sendBuffersAreUnlimited())
    log.warn(
      'net.ipv4.tcp_notsent_lowat is not set, so clients that stop reading can fill kernel memory: see "Memory" in docs/self-hosting.md',
    );
  console.log(`${config.site.name} is listening on ${addressFor(config.host, port)}${open}`);
  if (monitoring) log.info({ url: monitoring.url }, 'the private port is open');

  const close = (): void => {
    // Requests in flight may finish, up to a deadline.
    setTimeout(() => app.server.closeAllConnections(), shutdownMs).unref();
    void app
      .close()
      .then(() => monitoring?.[Symbol.asyncDispose]())
      .then(() => context[Symbol.asyncDispose]());
  };
  // Until a load balancer has seen that this process is not ready, and clients have left their connections, calls
  // still arrive and are answered. Nobody waits for that in a terminal.
  const stop = (delayMs: number): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
    setTimeout(close, delayMs);
  };
  process.on('SIGTERM', () => stop(config.shutdownDelayMs)).on('SIGINT', () => stop(0));
}

async function warnOfExposedFiles({ config, log }: Context): Promise<void> {
  const paths = await exposedFiles(config);
  if (paths.length > 0)
    log.warn({ paths }, "other users of this machine can read these files; 'holdfast fsck --repair' closes them");
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
  const expected = [ConfigError, UnusableSetting, OtherSchema, DatabaseUnavailable].some(
    (kind) => error instanceof kind,
  );
  console.error(expected && error instanceof Error ? error.message : error);
  process.exit(1);
}
