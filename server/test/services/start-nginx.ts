import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeCertificate } from './certificate.ts';
import { freePorts } from '@holdfast/test-support/free-ports.ts';
import { nginxConfiguration, type Places } from './nginx-configuration.ts';
import { appHost, connectorTo, fileHost, mirrorHost, type ProxyInFront } from './proxy-in-front.ts';

/** The settings that docs/installation.md gives the server behind this nginx. */
export const settings = {
  PUBLIC_URL: `https://${appHost}`,
  FILE_ORIGINS: `https://${fileHost},https://${mirrorHost}`,
  TRUST_PROXY: '127.0.0.1',
} as const;

export interface NginxInFront extends ProxyInFront {
  readonly webRoot: string;
  /** The path of the access log. */
  readonly accessLog: string;
  /** Every line of the error log. */
  readonly log: readonly string[];
}

interface Behind {
  readonly port: number;
  readonly dataDir: string;
}

interface Choices {
  /** User of the workers, if root starts nginx. */
  readonly user?: string;
  /** The configuration, if it is not that of docs/installation.md. */
  readonly configure?: (places: Places) => string;
  /** A last change to the configuration. */
  readonly edit?: (configuration: string) => string;
}

/** Debian's nginx with the configuration of docs/installation.md or another one, in front of a server on loopback. */
export async function startNginx(behind: Behind, choices: Choices = {}): Promise<NginxInFront> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-nginx-'));
  const opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  try {
    const webRoot = join(folder, 'www');
    await mkdir(webRoot);
    const certificate = await makeCertificate(folder);
    const [http = 0, http6 = 0, https = 0, https6 = 0] = await freePorts(4);
    const { user = userInfo().username, configure = nginxConfiguration, edit = (text: string) => text } = choices;
    const blobs = join(behind.dataDir, 'blobs');
    const ports = { http, http6, https, https6 };
    const configuration = configure({ user, folder, webRoot, blobs, holdfastPort: behind.port, ports });
    await writeFile(join(folder, 'nginx.conf'), edit(configuration));
    const log = await runNginx(folder, opened);
    const connect = await connectorTo(https, certificate);
    const closing = opened.move();
    return {
      port: https,
      httpPort: http,
      certificate,
      webRoot,
      accessLog: join(folder, 'access.log'),
      log,
      connect,
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Starts nginx and waits until it listens. Returns its log, which continues to grow. */
async function runNginx(folder: string, opened: AsyncDisposableStack): Promise<readonly string[]> {
  const program = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx';
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  opened.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await once(child, 'spawn');
  return readyLog(child);
}

function readyLog(child: ChildProcess): Promise<readonly string[]> {
  const log: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  if (!child.stderr) throw new Error('nginx has no standard error');
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    log.push(line);
    // It listens before it starts its workers.
    if (line.includes('start worker process ')) resolve(log);
  });
  lines.once('close', () => reject(new Error(`nginx did not start:\n${log.join('\n')}`)));
  return promise;
}
