/** nginx for comparison: alone on the same blobs, and as the data plane in front of the server. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endChild, root, startChild } from './children.ts';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import type { Holdfast } from './holdfast.ts';

export interface Nginx extends AsyncDisposable {
  readonly port: number;
  /** URL of a blob served by nginx alone. */
  readonly plain: (blobPath: string) => string;
  /** URL of a blob served by nginx alone at the speed of the Free plan. */
  readonly paced: (blobPath: string) => string;
  /** URL of an object of the store, served by nginx alone from the cache that the server's downloads have filled. */
  readonly cached: (key: string) => string;
  /** The same link through nginx in front of the server. */
  readonly inFrontOf: (link: string) => string;
}

/** `store` is the endpoint of the S3 store that has the blobs, if they are not on the disk. */
export async function startNginx(folder: string, server: Holdfast, store?: string): Promise<Nginx> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const path = join(folder, 'nginx.conf');
  await writeFile(path, configuration(folder, port, server, await locationsOf(server, store)));
  const child = startChild('nginx', ['-c', path, '-p', folder, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
  await untilAccepting(port, () => child.exitCode !== null);
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    plain: (blobPath) => `${origin}/plain/${blobPath}`,
    paced: (blobPath) => `${origin}/paced/${blobPath}`,
    cached: (key) => `${origin}/cached/${key}`,
    inFrontOf: (link) => origin + new URL(link).pathname,
    [Symbol.asyncDispose]: () => endChild(child),
  };
}

async function locationsOf({ dataDir }: Holdfast, store: string | undefined): Promise<string> {
  if (store === undefined)
    return `location /plain/ { alias ${dataDir}/blobs/; }
    location /paced/ { alias ${dataDir}/blobs/; limit_rate 500000; }
    location /blobs/ { internal; alias ${dataDir}/blobs/; }`;
  const documented = await readFile(join(root, 'packaging/nginx-store.conf'), 'utf8');
  return `location ~ ^/cached/(?<stored>.*)$ {
      slice 1m;
      proxy_cache holdfast;
      proxy_cache_key /blobs/$stored$slice_range;
      proxy_buffers 16 64k;
      proxy_busy_buffers_size 128k;
      proxy_max_temp_file_size 0;
      proxy_set_header Range $slice_range;
      proxy_pass ${store};
    }
    ${documented.replace('http://store:7070', store)}`;
}

function configuration(folder: string, port: number, { port: serverPort }: Holdfast, locations: string): string {
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
  proxy_cache_path ${folder}/cache keys_zone=holdfast:10m use_temp_path=off;
  upstream holdfast {
    server 127.0.0.1:${serverPort};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    ${locations}
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
