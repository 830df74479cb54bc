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
  const [installed, scope] = existsSync(stampPath) ? readFileSync(stampPath, 'utf8').split(' ') : [];
  if (installed === wanted && (scope === 'all' || !withDevelopment)) return;
  const all = withDevelopment || (installed !== undefined && scope === 'all');
  console.log('Installing packages. This takes a minute the first time.');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', ...(all ? ['--include=dev'] : ['--omit=dev'])];
  // A full install beside a running server must only add: `npm ci` would first remove what the server uses.
  if (installed === wanted) await mustRun('npm', ['install', '--no-save', ...flags]);
  else await mustRun('npm', ['ci', ...flags]);
  writeFileSync(stampPath, `${wanted} ${all ? 'all' : 'runtime'}`);
}
