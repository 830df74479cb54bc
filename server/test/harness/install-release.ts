import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const copied = ['contract/src', 'server/src', 'cli/src', 'holdfast', 'scripts/run.mjs', 'server/process.json'];
const workspaces = ['contract', 'server', 'cli'];

/** Makes a folder like that of a release from the sources here, with the packages that are installed here. */
export async function installRelease(folder: string, version: string): Promise<void> {
  for (const path of copied) await cp(join(root, path), join(folder, path), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'holdfast', version, type: 'module' }));
  for (const name of ['bin', 'web', 'node_modules/@holdfast']) await mkdir(join(folder, name), { recursive: true });
  await symlink(process.execPath, join(folder, 'bin/node'));
  await symlink(join(root, 'web/dist'), join(folder, 'web/dist'));
  const packages = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '@holdfast');
  for (const name of packages) await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of workspaces) {
    await symlink(`../../${name}`, join(folder, 'node_modules/@holdfast', name));
    const own = join(root, name, 'node_modules');
    if (existsSync(own)) await symlink(own, join(folder, name, 'node_modules'));
  }
}

/** Packs the folder `NAME` in `parent` as a release, with its SHA256SUMS. Returns the path of the archive. */
export async function packRelease(parent: string, name: string): Promise<string> {
  const archive = join(parent, `${name}.tar.gz`);
  await promisify(execFile)('tar', ['-czf', archive, '-C', parent, name]);
  const digest = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');
  await writeFile(join(parent, 'SHA256SUMS'), `${digest}  ${name}.tar.gz\n`);
  return archive;
}
