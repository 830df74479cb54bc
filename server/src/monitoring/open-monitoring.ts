import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { version } from '../config/version.ts';
import { workerRole } from '../config/workers.ts';
import type { Context } from '../context.ts';
import { drain, prepareShutdown } from '../http/shutdown.ts';
import { countAlarms } from '../lib/open-log.ts';
import { processCounts } from '../lib/process-counts.ts';
import { type ConnectionCounts, type Database, readConnections } from '../storage/db/database.ts';
import type { Metric } from './metrics.ts';
import { type Page, textPage } from './readiness.ts';

export interface NodePages {
  readonly readyz: () => Promise<Page>;
  readonly databases: readonly Database[];
  readonly metrics: readonly Metric[];
  readonly refresh?: () => Promise<void>;
}

export interface PrivatePort extends AsyncDisposable {
  readonly url: string;
  drain(idleMs: () => number): Promise<void>;
}

type Parts = Pick<Context, 'config' | 'log'>;

/** On the public port these pages would reveal to everyone what is broken. Each of several workers has its own. */
export async function openMonitoring({ config, log }: Parts, node: NodePages): Promise<PrivatePort | null> {
  if (config.metrics === null) return null;
  // Loaded only where it is used.
  const { openMetricsPage } = await import('./metrics.ts');
  const number = workerRole()?.number;
  const labels = {
    ...(number !== undefined && { worker: String(number) }),
    ...(config.region !== null && { region: config.region }),
  };
  const metrics = openMetricsPage([...ofEveryNode(log, node), ...node.metrics], labels, isPrivate);
  const pages = {
    '/livez': async () => textPage(200, 'ok\n'),
    '/readyz': node.readyz,
    '/metrics': async () => {
      await node.refresh?.();
      return metrics.read();
    },
  };
  const { host, port: first } = config.metrics;
  const server = servePrivately(pages, host, log);
  server.listen(first === 0 ? 0 : first + (number ?? 1) - 1, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://${inUrl(host)}:${port}`,
    drain: (idleMs) => drain(server, idleMs),
    async [Symbol.asyncDispose]() {
      metrics[Symbol.dispose]();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function ofEveryNode(log: Logger, { readyz, databases }: NodePages): readonly Metric[] {
  const pools = () => databases.map(readConnections).filter((counts) => counts !== null);
  const sum = (name: keyof ConnectionCounts) => pools().reduce((total, counts) => total + counts[name], 0);
  const byState = () => (['used', 'idle'] as const).map((state) => [{ state }, sum(state)] as const);
  const ofPools: readonly Metric[] = [
    ['database_connections', 'Connections of this process to PostgreSQL, by state: used or idle.', byState, 'state'],
    ['database_calls_waiting', 'Calls that wait for a connection to PostgreSQL.', () => sum('waiting')],
  ];
  return [
    ['build_info', 'Always 1.', () => [[{ version }, 1]], 'version'],
    ['ready', '1 while /readyz returns 200.', async () => Number((await readyz()).status === 200)],
    ['alarms_total', 'Lines with ALARM in the log of this process.', () => countAlarms(log)],
    ['uploads_total', 'Files stored by this process.', () => processCounts.uploads],
    ['uploaded_bytes_total', 'Their bytes.', () => processCounts.uploadedBytes],
    ['downloads_total', 'Downloads of this process that count as hits.', () => processCounts.downloads],
    [
      'connections_refused_total',
      'Connections beyond the limits of this process.',
      () => processCounts.refusedConnections,
    ],
    ...(pools().length > 0 ? ofPools : []),
  ];
}

const privateServers = new WeakSet<object>();
const isPrivate = (server: unknown): boolean => privateServers.has(Object(server) as object);

/**
 * A site that an operator visits could point its own name here and read the pages in the operator's browser, so other
 * names are refused.
 */
function servePrivately(pages: Readonly<Record<string, () => Promise<Page>>>, host: string, log: Logger): Server {
  const find = async (method = '', path: string, name?: string): Promise<Page> => {
    if (!isOurs(name, host)) return textPage(421, 'Unknown Host header\n');
    const page = pages[path];
    if (!page) return textPage(404, 'Not found\n');
    return method === 'GET' || method === 'HEAD' ? page() : textPage(405, 'Only GET is allowed\n');
  };
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000 },
    ({ method, url = '', headers }, response) => {
      const failed = (error: unknown) => {
        log.error({ err: error, path: url }, 'a request to the private port failed');
        return textPage(500, 'It failed; see the log\n');
      };
      void find(method, url.replace(/\?.*$/s, ''), headers.host)
        .catch(failed)
        .then((page) => send(response, page, method === 'HEAD'));
    },
  );
  prepareShutdown(server);
  privateServers.add(server);
  return server;
}

function isOurs(given = '', host: string): boolean {
  const named = URL.canParse(`http://${given}`) ? new URL(`http://${given}`).hostname : '';
  return named === 'localhost' || named === host.toLowerCase() || isIP(named.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function send(response: ServerResponse, { status, type, body }: Page, headOnly: boolean): void {
  const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(headOnly ? undefined : body);
}
