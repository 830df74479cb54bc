/** nginx for comparison: alone on the same blobs, and as the data plane in front of the server. */
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endChild, startChild } from './children.ts';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import type { Holdfast } from './holdfast.ts';

export interface Nginx extends AsyncDisposable {
  readonly port: number;
  /** URL of a blob served by nginx alone. */
  readonly plain: (blobPath: string) => string;
  /** URL of a blob served by nginx alone at the speed of the Free plan. */
  readonly paced: (blobPath: string) => string;
  /** The same link through nginx in front of the server. */
  readonly inFrontOf: (link: string) => string;
}

export async function startNginx(folder: string, server: Holdfast): Promise<Nginx> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const path = join(folder, 'nginx.conf');
  await writeFile(path, configuration(folder, port, server));
  const child = startChild('nginx', ['-c', path, '-p', folder, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
  await untilAccepting(port, () => child.exitCode !== null);
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    plain: (blobPath) => `${origin}/plain/${blobPath}`,
    paced: (blobPath) => `${origin}/paced/${blobPath}`,
    inFrontOf: (link) => origin + new URL(link).pathname,
    [Symbol.asyncDispose]: () => endChild(child),
  };
}

function configuration(folder: string, port: number, { port: serverPort, dataDir }: Holdfast): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // Only their owner can read blobs, and workers of a master that runs as root would run as another user.
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${folder}/nginx.pid;
worker_processes auto;
worker_rlimit_nofile 65536;
events { worker_connections 8192; }
http {
  ${temp.join('\n  ')}
  access_log off;
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=2000 inactive=60s;
  open_file_cache_valid 60s;
  upstream holdfast {
    server 127.0.0.1:${serverPort};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location /plain/ { alias ${dataDir}/blobs/; }
    location /paced/ { alias ${dataDir}/blobs/; limit_rate 500000; }
    location /blobs/ { internal; alias ${dataDir}/blobs/; }
    location / {
      proxy_pass http://holdfast;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host 127.0.0.1:${serverPort};
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }
}
`;
}

async function untilAccepting(port: number, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    const accepted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (accepted) return;
    await delay(20);
  }
  throw new Error('nginx ended before it listened; its reason stands above');
}
