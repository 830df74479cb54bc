import type { Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, loadConfig } from './config/config.ts';
import { originsOf } from './config/origins.ts';
import { exposedFiles } from './config/private-files.ts';
import { openSetting, UnusableSetting } from './config/setting-errors.ts';
import { warningsAtStart } from './config/setting-warnings.ts';
import { workerRole } from './config/workers.ts';
import { drain } from './http/shutdown.ts';
import { hours, minutes, seconds } from './lib/clock.ts';
import { logDestination } from './lib/log-destination.ts';
import { openLog } from './lib/open-log.ts';
import { OperatorError } from './lib/operator-error.ts';
import { standardOutput } from './lib/standard-streams.ts';
import { openFilesNode } from './mirror/files-node.ts';
import { inUrl, openMonitoring, type PrivatePort } from './monitoring/open-monitoring.ts';
import { OtherStorage } from './storage/blobs/storage-owner.ts';
import { openWholeNode } from './whole-node.ts';
import { leaveParent, listenAlone, obeyParent, type Stop } from './workers/worker.ts';

type ServerNode = Awaited<ReturnType<typeof openFilesNode | typeof openWholeNode>>;

/** Node's 511 makes some of a burst of new visitors wait a second. */
const backlog = 4096;

export async function runServer(): Promise<void> {
  const config = loadConfig();
  const worker = workerRole();
  const log = openLog(logDestination(), config.region);
  const stopping = new AbortController();
  const node = await (config.filesOnly ? openFilesNode : openWholeNode)(config, log, stopping.signal);
  const { context, pages } = node;
  process.once('uncaughtException', (error) => void endBy(error, context));
  await requireStorage(node);
  const app = await node.open();
  if (worker?.takesOver) await untilReady(node);
  await openSetting('HOST or PORT', () => app.listen({ host: config.host, port: config.port, backlog }));
  const ownPort = await openSetting('WORKER_PORT', () => openOwnPort(app.server, config));
  const monitoring = await openSetting('METRICS_HOST or METRICS_PORT', () => openMonitoring(context, pages));
  const { port } = app.server.address() as AddressInfo;
  config.origins = originsOf(config, port);
  if ((worker?.number ?? 1) === 1) {
    for (const warning of warningsAtStart(config)) log.warn(warning);
    await warnOfExposedFiles(context);
  }
  node.afterStart();

  const stop = createStop({ app, ownPort, monitoring, context, stopping });
  const greeting = await node.greeting(addressFor(config.host, port));
  if (worker) obeyParent(greeting, stop);
  else {
    obeySignals(log, (how) => (stopping.signal.aborted ? process.exit(1) : stop(how)));
    standardOutput.write(`${greeting}\n`);
  }
  if (monitoring) log.info({ url: monitoring.url }, 'the private port is open');
}

/** A server starts while its storage is away. */
async function requireStorage({ checkStorage, context }: ServerNode): Promise<void> {
  try {
    await checkStorage();
  } catch (error) {
    if (error instanceof OtherStorage) throw new UnusableSetting('BLOBS_URL', error);
    context.log.warn({ err: error }, 'the storage did not tell which service it belongs to');
  }
}

async function openOwnPort(server: Server, { host, workerPort }: Config): Promise<TcpServer | null> {
  const worker = workerRole();
  if (!worker || workerPort === null) return null;
  return listenAlone(server, { host, port: workerPort + worker.number - 1, backlog });
}

interface Opened extends Pick<ServerNode, 'context'> {
  readonly app: Awaited<ReturnType<ServerNode['open']>>;
  readonly ownPort: TcpServer | null;
  readonly monitoring: PrivatePort | null;
  readonly stopping: AbortController;
}

function createStop({ app, ownPort, monitoring, context, stopping }: Opened): (how: Stop) => void {
  let idleMs = 0;
  const close = async (how: Stop): Promise<void> => {
    // Else it says until the end that this process stops.
    const drained = how === 'hand over' ? monitoring?.drain(() => idleMs) : undefined;
    await Promise.all([drain(app.server, () => idleMs, ownPort), drained]);
    await app.close();
    await monitoring?.[Symbol.asyncDispose]();
    await context[Symbol.asyncDispose]();
    leaveParent();
  };
  return (how) => {
    const { delayMs, keepIdleMs, deadlineMs } = stopsOf(context.config)[how];
    idleMs = keepIdleMs;
    setTimeout(() => app.server.closeAllConnections(), delayMs + deadlineMs).unref();
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => void close(how), delayMs);
  };
}

/** A load balancer needs the delay to see that this process is not ready. */
const stopsOf = ({ shutdownDelayMs }: Config) => ({
  // The documented proxies keep an idle connection for a second.
  terminate: { delayMs: shutdownDelayMs, keepIdleMs: seconds(2), deadlineMs: seconds(30) },
  interrupt: { delayMs: 0, keepIdleMs: 0, deadlineMs: seconds(30) },
  // Longer than the server itself keeps an idle connection.
  'hand over': { delayMs: 0, keepIdleMs: seconds(75), deadlineMs: hours(1) },
});

function obeySignals(log: Logger, stop: (how: Stop) => void): void {
  process.on('SIGTERM', () => stop('terminate')).on('SIGINT', () => stop('interrupt'));
  process.on('SIGHUP', () => {
    // The terminal was closed.
    if (process.stdin.isTTY) stop('interrupt');
    else log.warn('SIGHUP does nothing: set WORKERS, also to 1, so that new workers can take over');
  });
}

async function untilReady({ pages }: ServerNode): Promise<void> {
  const latest = performance.now() + minutes(1);
  for (;;) {
    const { status, body } = await pages.readyz();
    if (status === 200) return;
    if (performance.now() > latest)
      throw new OperatorError(`The worker did not become ready: ${body.trim().replaceAll('\n', ', ')}.`);
    await delay(seconds(1));
  }
}

async function warnOfExposedFiles({ config, log }: ServerNode['context']): Promise<void> {
  const paths = await exposedFiles(config);
  if (paths.length > 0)
    log.warn({ paths }, "other users of this machine can read these files: remove that permission with 'chmod go-rwx'");
}

async function endBy(error: unknown, { reports }: ServerNode['context']): Promise<void> {
  console.error(error);
  reports.report(error, 'process');
  await reports[Symbol.asyncDispose]();
  process.exit(1);
}

function addressFor(host: string, port: number): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  return `http://${local ? 'localhost' : inUrl(host)}:${port}`;
}
