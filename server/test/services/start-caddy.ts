import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@holdfast/test-support/free-ports.ts';
import { makeCertificate } from './certificate.ts';
import { connectorTo, type ProxyInFront } from './proxy-in-front.ts';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Returns the Caddyfile of docs/self-hosting.md. */
export async function documentedCaddyfile(): Promise<string> {
  const page = await readFile(join(docs, 'self-hosting.md'), 'utf8');
  const [, caddyfile] = /^cat > \/etc\/caddy\/Caddyfile <<'END'\n(.*?)^END$/ms.exec(page) ?? [];
  if (caddyfile === undefined) throw new Error('docs/self-hosting.md must write a Caddyfile');
  return caddyfile;
}

/** Returns the settings that docs/self-hosting.md gives the server behind this Caddy. */
export async function documentedSettings(): Promise<Readonly<Record<string, string>>> {
  const page = await readFile(join(docs, 'self-hosting.md'), 'utf8');
  const [, settings = ''] = /^cat > \/opt\/holdfast\/\.env <<'END'\n(.*?)^END$/ms.exec(page) ?? [];
  const { DATA_DIR, ...others } = Object.fromEntries(
    settings
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  if (DATA_DIR !== '/var/lib/holdfast') throw new Error('docs/self-hosting.md must set DATA_DIR');
  return others as Record<string, string>;
}

/**
 * Debian's Caddy in front of a server on loopback, with a documented Caddyfile. A test has its own ports, and a
 * certificate of its own in place of one from a public authority.
 */
export async function startCaddy(server: { readonly port: number }, caddyfile: string): Promise<ProxyInFront> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-caddy-'));
  const opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  try {
    const certificate = await makeCertificate(folder);
    const [httpPort = 0, port = 0] = await freePorts(2);
    const global = [
      `{`,
      `	admin off`,
      `	http_port ${httpPort}`,
      `	https_port ${port}`,
      `	default_bind 127.0.0.1`,
      `}`,
    ];
    const upstream = '127.0.0.1:3000';
    if (!caddyfile.includes(upstream)) throw new Error(`the Caddyfile must say '${upstream}'`);
    const sites = caddyfile
      .replaceAll(/^\S.* \{\n/gm, (line) => `${line}	tls ${certificate} ${join(folder, 'privkey.pem')}\n`)
      .replaceAll(upstream, `127.0.0.1:${server.port}`);
    const path = join(folder, 'Caddyfile');
    await writeFile(path, `${global.join('\n')}\n${sites}`);
    await runCaddy(path, folder, opened);
    const connect = await connectorTo(port, certificate);
    const closing = opened.move();
    return { port, httpPort, certificate, connect, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Starts Caddy and waits until it listens. */
async function runCaddy(caddyfile: string, folder: string, opened: AsyncDisposableStack): Promise<void> {
  const child = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  opened.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await once(child, 'spawn');
  const log: string[] = [];
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    log.push(line);
    if (line.includes('serving initial configuration')) resolve();
  });
  lines.once('close', () => reject(new Error(`Caddy did not start:\n${log.join('\n')}`)));
  await listening;
}
