/**
 * `npm run release [-- --arch x64] [-- --folder]`: packs what a server needs at run time, with its own Node, into
 * `release/holdfast-VERSION-linux-ARCH.tar.gz`, for x64 and arm64 unless `--arch` names one. Beside them it writes an SBOM
 * and the licenses for each, the command line, the SDK and the MCP server for people who upload, and the checksums. With `--folder` it writes only the folders, which the Dockerfile copies.
 *
 * The same sources give the same bytes: files are sorted, belong to root, and have the date of the newest release in
 * CHANGELOG.md. GNU tar and npm must be installed.
 */
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ensureWebBuilt, packagesOf } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { licensesText } from './licenses.mjs';
import { exclusively } from './lock.mjs';
import { mustRun, root } from './run.mjs';
import { softwareBill } from './software-bill.mjs';

const { values } = parseArgs({ options: { arch: { type: 'string' }, folder: { type: 'boolean', default: false } } });
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const output = join(root, 'release');

/** Sources that run, from the root of the repository. Tests, and the suites of the engines, do not. */
const sources = ['contract/src', 'server/src', 'cli/src'];
const isTest = /\.test\.ts$|\/conformance\.ts$/;

/** Other files, by their path in the release. */
const files = {
  holdfast: 'holdfast',
  'README.md': 'packaging/INSTALL.md',
  packaging: 'packaging',
  'compose.yaml': 'compose.yaml',
  'server/process.json': 'server/process.json',
  'scripts/run.mjs': 'scripts/run.mjs',
  'web/dist': 'web/dist',
  docs: 'docs',
  '.env.example': '.env.example',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
};

await exclusively(async () => {
  // The packages for people who upload are built with TypeScript.
  await ensureInstalled({ withDevelopment: !values.folder });
  await ensureWebBuilt();
});
rmSync(output, { recursive: true, force: true });
for (const arch of values.arch === undefined ? ['x64', 'arm64'] : [values.arch]) {
  const folder = join(output, `holdfast-${project.version}-linux-${arch}`);
  await assemble(folder, arch);
  if (!values.folder) await pack(folder);
}
if (!values.folder) {
  const programs = ['cli', 'client', 'mcp'].map((name) => `--workspace=@holdfast/${name}`);
  await mustRun('npm', ['pack', '--silent', ...programs, `--pack-destination=${output}`]);
  writeChecksums();
}

async function assemble(folder, arch) {
  await installPackages(folder, arch);
  for (const source of sources)
    cpSync(join(root, source), join(folder, source), { recursive: true, filter: (path) => !isTest.test(path) });
  for (const [to, from] of Object.entries(files)) cpSync(join(root, from), join(folder, to), { recursive: true });
  chmodSync(join(folder, 'holdfast'), 0o755);
  writeDockerfile(folder);
  mkdirSync(join(folder, 'bin'));
  symlinkSync(`../node_modules/node-linux-${arch}/bin/node`, join(folder, 'bin', 'node'));
  const { name, version, description, license, type } = project;
  writeJson(join(folder, 'package.json'), { name, version, private: true, description, license, type });
  const packages = [...packagesIn(folder), ...packagesOf()];
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licensesText(packages));
  writeJson(join(folder, 'sbom.cdx.json'), softwareBill(packages, releaseTime()));
}

/** The image of a release is the second stage of the image of a clone, without the stage that makes a release. */
function writeDockerfile(folder) {
  const [, , image] = readFileSync(join(root, 'Dockerfile'), 'utf8').split(/^(?=FROM )/m);
  writeFileSync(join(folder, 'Dockerfile'), image.replace('COPY --from=build /release', 'COPY .'));
  writeFileSync(join(folder, '.dockerignore'), '.env\n.cache\ndata\nsecrets\n');
}

/** Installs the locked packages that the server needs on this platform, without the headers of Node. */
async function installPackages(folder, arch) {
  const workspaces = project.workspaces.map((name) => join(name, 'package.json'));
  for (const path of ['package.json', 'package-lock.json', '.npmrc', ...workspaces])
    cpSync(join(root, path), join(folder, path));
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  await mustRun('npm', ['ci', '--omit=dev', '--ignore-scripts', '--loglevel=error', ...platform, '--prefix', folder]);
  rmSync(join(folder, 'package-lock.json'));
  rmSync(join(folder, '.npmrc'));
  const node = join(folder, 'node_modules', `node-linux-${arch}`);
  for (const part of ['include', 'share']) rmSync(join(node, part), { recursive: true });
  removeOtherWorkspaces(folder);
}

/** The lock file names all workspaces, so they had to be there. */
function removeOtherWorkspaces(folder) {
  const kept = new Set(sources.map((source) => source.split('/')[0]));
  for (const name of project.workspaces.filter((each) => !kept.has(each))) {
    rmSync(join(folder, 'node_modules', JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).name));
    rmSync(join(folder, name), { recursive: true });
  }
  for (const name of ['.package-lock.json', '.bin'])
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules', '.bin'));
  // For `npx --no holdfast`, as in a clone.
  symlinkSync('../@holdfast/operator/src/holdfast.mjs', join(folder, 'node_modules', '.bin', 'holdfast'));
}

/** Returns the folders of all installed packages of others, also of those that are inside others. */
function packagesIn(folder) {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return found
    .filter((path) => !path.includes('@holdfast/'))
    .filter((path) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(path))
    .map((path) => join(folder, path, '..'));
}

async function pack(folder) {
  const name = basename(folder);
  const tar = join(output, `${name}.tar`);
  const same = [
    '--sort=name',
    `--mtime=@${releaseTime()}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=gnu',
  ];
  await mustRun('tar', [...same, '--mode=u+rwX,go+rX,go-w', '-cf', tar, '-C', output, name]);
  writeFileSync(`${tar}.gz`, gzipSync(readFileSync(tar), { level: 9 }));
  cpSync(join(folder, 'sbom.cdx.json'), join(output, `${name}.cdx.json`));
  cpSync(join(folder, 'THIRD-PARTY-LICENSES'), join(output, `${name}.licenses.txt`));
  rmSync(tar);
  rmSync(folder, { recursive: true });
}

function writeChecksums() {
  const lines = readdirSync(output)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(output, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''));
  process.stdout.write(lines.join(''));
}

/** The date of the newest release in the changelog, in seconds since 1970. */
function releaseTime() {
  const [, date] = /^## \[\S+\] - (\S+)$/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  return Date.parse(date) / 1000;
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
