import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressAssets } from './compress-assets.mjs';
import { licensesText } from './licenses.mjs';
import { mustRun, pinnedNode, root } from './run.mjs';

const dist = join(root, 'web', 'dist');
const stampPath = join(dist, '.built-from');
const sources = [
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'web/public',
  'web/src',
  'contract/src',
  'package-lock.json',
  'scripts/build-web.mjs',
  'scripts/compress-assets.mjs',
  'scripts/licenses.mjs',
];

/** Builds the web app unless the existing build was made from the current sources. */
export async function ensureWebBuilt() {
  const wanted = hashOf(sources);
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return;
  console.log('Building the web app.');
  const fresh = `${dist}.new`;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await mustRun(pinnedNode(), [vite, 'build', 'web', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']);
  writeFileSync(join(fresh, 'licenses.txt'), licensesText(packagesOf(fresh)));
  compressAssets(fresh);
  writeFileSync(join(fresh, '.built-from'), wanted);
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
}

/** Returns the folders of the packages from which code or fonts are in the build. */
export function packagesOf(build = dist) {
  const folders = JSON.parse(readFileSync(join(build, '.packages'), 'utf8'));
  return folders.map((folder) => join(root, folder)).toSorted();
}

function hashOf(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const full = join(root, path);
    for (const entry of readdirSync(full, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory()) visit(join(path, entry.name));
      else add(join(path, entry.name));
    }
  };
  const add = (path) =>
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)));
  for (const path of paths) {
    if (/\.[a-z]+$/.test(path)) add(path);
    else visit(path);
  }
  return hash.digest('hex');
}
