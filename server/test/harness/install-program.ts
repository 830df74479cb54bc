import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Installs the program in its own folder, as in a container, with a web app of one script. Returns its entry. */
export async function installProgram(version: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-installed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const part of ['src', 'package.json'])
    await cp(join(repository, 'server', part), join(folder, 'server', part), { recursive: true });
  for (const packages of ['node_modules', 'server/node_modules'])
    await symlink(join(repository, packages), join(folder, packages));
  await cp(join(repository, 'package.json'), join(folder, 'package.json'));
  const assets = join(folder, 'web', 'dist', 'assets');
  await mkdir(assets, { recursive: true });
  await writeFile(join(folder, 'web', 'dist', 'index.html'), `<title>Version ${version}</title>`);
  await writeFile(join(assets, `page-${version}.js`), `version ${version}`);
  return join(folder, 'server', 'src', 'main.ts');
}
