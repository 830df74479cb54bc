import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root } from './run.mjs';

const stampPath = join(root, 'node_modules', '.holdfast-install');

/**
 * Installs what the lockfile says unless it is there already. `withDevelopment` adds what only tests and
 * development need: whoever just serves is spared a browser and a database.
 */
export async function ensureInstalled({ withDevelopment }) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const [installed, scope] = readStamp();
  if (installed === wanted && (scope === 'all' || !withDevelopment)) return;
  const all = withDevelopment || scope === 'all';
  console.log('Installing packages. This takes a minute the first time.');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', all ? '--include=dev' : '--omit=dev'];
  // What is there may be in use by a running server, so it is only added to: `npm ci` would remove it first.
  const adding = installed === wanted || installed === 'by hand';
  await mustRun('npm', adding ? ['install', '--no-save', ...flags] : ['ci', ...flags]);
  writeFileSync(stampPath, `${wanted} ${all ? 'all' : 'runtime'}`);
}

/** The lockfile that was installed from, and how much of it. Who ran npm themselves has everything and keeps it. */
function readStamp() {
  if (existsSync(stampPath)) return readFileSync(stampPath, 'utf8').split(' ');
  return existsSync(join(root, 'node_modules', '.package-lock.json')) ? ['by hand', 'all'] : [];
}
