import { blockOf } from '../harness/documented-blocks.ts';

/** Values that differ between an operator's machine and a test. Everything else is used as on the page. */
export interface Places {
  readonly user: string;
  readonly folder: string;
  readonly webRoot: string;
  readonly blobs: string;
  readonly holdfastPort: number;
  readonly ports: { readonly http: number; readonly http6: number; readonly https: number; readonly https6: number };
}

/** The nginx configuration of docs/installation.md, word for word except for these places. */
export const nginxConfiguration = (places: Places): string =>
  placed(blockOf('docs/installation.md', 'nginx', 'nginx'), replacements(places));

/** The nginx server of docs/recipes.md, in a configuration that has nothing else. */
export function nginxRecipe(places: Places): string {
  const { user, folder, ports, holdfastPort } = places;
  const server = placed(blockOf('docs/recipes.md', 'nginx', 'nginx'), [
    ['listen 443', `listen 127.0.0.1:${ports.https}`],
    ['/etc/letsencrypt/live/holdfast.example/', `${folder}/`],
    ['http://127.0.0.1:3000', `http://127.0.0.1:${holdfastPort}`],
  ]);
  const log = `error_log stderr notice; pid ${folder}/nginx.pid; user ${user};`;
  return `${log} events {} http { access_log off; ${tempFolders(folder)}\n${server}}`;
}

/** Throws if the page does not say one of the places. */
function placed(block: string, places: readonly (readonly [string, string])[]): string {
  return places.reduce((text, [written, meant]) => {
    if (!text.includes(written)) throw new Error(`the documented nginx configuration must say '${written}'`);
    return text.replaceAll(written, meant);
  }, block);
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
