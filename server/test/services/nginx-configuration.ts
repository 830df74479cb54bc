import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../../docs/self-hosting.md', import.meta.url));

/** Values that differ between an operator's machine and a test. Everything else is used as on the page. */
export interface Places {
  readonly user: string;
  readonly folder: string;
  readonly webRoot: string;
  readonly blobs: string;
  readonly holdfastPort: number;
  readonly ports: { readonly http: number; readonly http6: number; readonly https: number; readonly https6: number };
}

/** The nginx configuration of docs/self-hosting.md, word for word except for these places. */
export async function nginxConfiguration(places: Places): Promise<string> {
  const [, block, ...more] = (await readFile(page, 'utf8')).split(/^```nginx\n/m);
  const [configuration] = (block ?? '').split(/^```$/m);
  if (!configuration || more.length > 0) throw new Error('docs/self-hosting.md must have exactly one nginx block');
  return replacements(places).reduce((text, [written, meant]) => {
    if (!text.includes(written)) throw new Error(`the nginx block of docs/self-hosting.md must say '${written}'`);
    return text.replaceAll(written, meant);
  }, configuration);
}

const replacements = ({ user, folder, webRoot, blobs, holdfastPort, ports }: Places): readonly [string, string][] => [
  ['user holdfast;', `user ${user};`],
  ['worker_processes auto;', 'worker_processes 2;'],
  ['pid /run/nginx.pid;', `pid ${folder}/nginx.pid;`],
  // nginx logs its readiness at level `notice`.
  ['error_log /var/log/nginx/error.log;', 'error_log stderr notice;'],
  ['access_log /var/log/nginx/access.log', `${tempFolders(folder)} access_log ${folder}/access.log`],
  ['listen 80', `listen 127.0.0.1:${ports.http}`],
  ['listen [::]:80', `listen 127.0.0.1:${ports.http6}`],
  ['listen 443', `listen 127.0.0.1:${ports.https}`],
  ['listen [::]:443', `listen 127.0.0.1:${ports.https6}`],
  ['server 127.0.0.1:3000;', `server 127.0.0.1:${holdfastPort};`],
  ['/etc/letsencrypt/live/holdfast.example/', `${folder}/`],
  ['/var/www/html', webRoot],
  ['/var/lib/holdfast/blobs/', `${blobs}/`],
];

const tempFolders = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
