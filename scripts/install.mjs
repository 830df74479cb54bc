import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root } from './run.mjs';

const stampPath = join(root, 'node_modules', '.holdfast-install');

/**
 * Installs the packages of the lockfile unless they are there already: those of the server at run time and those that
 * build the web app. `withDevelopment` adds what only tests and development need, so that a server installs no browser
 * and no database.
 */
export async function ensureInstalled({ withDevelopment }) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const [installed, scope] = readStamp();
  if (installed === wanted && (scope === 'all' || !withDevelopment)) return;
  const all = withDevelopment || scope === 'all';
  console.log('Installing packages. This takes a minute the first time.');
  // A running server may use the existing packages, so they are only added to: `npm ci` would delete them first.
  const adding = installed === wanted || installed === 'by hand';
  await npm(adding ? ['install', '--no-save'] : ['ci'], all ? '--include=dev' : '--omit=dev');
  if (!all) await npm(['install', '--no-save', '--workspace=web'], '--include=dev');
  writeFileSync(stampPath, `${wanted} ${all ? 'all' : 'runtime'}`);
}

const npm = (command, scope) => mustRun('npm', [...command, scope, '--no-audit', '--no-fund', '--loglevel=error']);

/**
 * Returns the hash of the installed lockfile and which part was installed. An install made by hand with npm is complete
 * and is kept.
 */
function readStamp() {
  if (existsSync(stampPath)) return readFileSync(stampPath, 'utf8').split(' ');
  return existsSync(join(root, 'node_modules', '.package-lock.json')) ? ['by hand', 'all'] : [];
}
