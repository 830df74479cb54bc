/** Steps of docs/installation.md that protect an installation and that no test of the server covers. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const page = await readFile(new URL('../../docs/installation.md', import.meta.url), 'utf8');
const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.replaceAll('\\\n', ' '));
const [, nginx = ''] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? [];

const commandWith = (words: string) =>
  commands.flatMap((block) => block.split('\n')).find((line) => line.includes(words)) ?? '';

const wordsAfter = (option: string, command: string) =>
  [...command.matchAll(new RegExp(` ${option} ('[^']+'|\\S+)`, 'g'))].map(([, word = '']) => word);

test('certbot gets a public certificate for every name of nginx, and nginx uses it after each renewal', () => {
  const command = commandWith('certbot certonly');
  const names = new Set([...nginx.matchAll(/server_name (.*);/g)].flatMap(([, list = '']) => list.split(' ')));
  expect(names.size).toBe(3);
  expect(new Set(wordsAfter('-d', command))).toEqual(names);
  const [folder] = wordsAfter('--cert-name', command);
  expect(nginx).toContain(`ssl_certificate /etc/letsencrypt/live/${folder}/fullchain.pem;`);
  expect(nginx).toContain(`ssl_certificate_key /etc/letsencrypt/live/${folder}/privkey.pem;`);
  const [webRoot] = wordsAfter('-w', command);
  expect(nginx).toMatch(new RegExp(`location /.well-known/acme-challenge/ \\{\\s+root ${webRoot};`));
  expect(wordsAfter('--deploy-hook', command)).toEqual(["'systemctl reload nginx'"]);
  // Another authority, or certbot's test authority, is not in the lists of browsers.
  expect(command).not.toMatch(/--(server|staging|test-cert|dry-run)/);
});

test.skipIf(process.platform === 'win32')('only root can read the history of the installed repository', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-installation-'));
  await mkdir(join(folder, '.git'), { mode: 0o755 });
  await writeFile(join(folder, '.git', 'config'), '');
  const command = commandWith('/opt/holdfast/.git');
  await promisify(execFile)('sh', ['-c', command.replaceAll('/opt/holdfast', folder)]);
  expect((await stat(join(folder, '.git'))).mode & 0o777).toBe(0o700);
  await rm(folder, { recursive: true });
  // The server runs as another user than the one that owns the repository.
  const steps = commands.find((block) => block.includes(command)) ?? '';
  expect(steps.indexOf('git clone')).toBeLessThan(steps.indexOf(command));
  expect(steps).not.toMatch(/chown|sudo -u/);
  const unit = await readFile(new URL('../../packaging/holdfast.service', import.meta.url), 'utf8');
  expect(unit).toMatch(/^User=holdfast$/m);
});
