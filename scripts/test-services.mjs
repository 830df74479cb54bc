/**
 * `npm run test:services`: runs the tests that need other programs around Holdfast. On Debian it installs those
 * programs if it has permission, elsewhere it lists the missing ones. The tests of a missing browser are skipped; if
 * another program is missing, no test runs. Ends with one line that counts the tests.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { mustRun, root, run } from './run.mjs';

/** Debian package of each program that the tests start. */
const packageOf = {
  nginx: 'nginx',
  caddy: 'caddy',
  jq: 'jq',
  shellcheck: 'shellcheck',
  sudo: 'sudo',
  uuidgen: 'uuid-runtime',
  curl: 'curl',
  wget: 'wget',
  aria2c: 'aria2',
  openssl: 'openssl',
  clamd: 'clamav-daemon',
  promtool: 'prometheus',
  'fail2ban-server': 'fail2ban',
  java: 'default-jre-headless',
  radosgw: 'radosgw',
  'ceph-osd': 'ceph-osd',
  'ceph-mon': 'ceph-mon',
};

/** Debian packages of each browser, with those it needs to play H.264. */
const browserPackages = {
  'firefox-esr': ['firefox-esr', 'gstreamer1.0-libav'],
  WebKitWebDriver: ['webkit2gtk-driver', 'gstreamer1.0-libav'],
  Xvfb: ['xvfb'],
};

const mayInstall = process.getuid?.() === 0 && isHere('apt-get');
const missing = Object.keys(packageOf).filter((program) => !isHere(program));
const packages = missing.map((program) => packageOf[program]);
if (!isClockLibraryHere()) {
  missing.push('libfaketime.so.1');
  packages.push('libfaketime');
}
if (missing.length > 0 && !mayInstall) {
  console.error(`The services tests need ${missing.join(', ')}: apt-get install ${packages.join(' ')}`);
  process.exit(1);
}
await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  await ensureWebBuilt();
  if (packages.length > 0) await install(packages);
  if (mayInstall) await installBrowsers();
});
const reports = join(root, '.cache', `reports-${process.pid}`);
mkdirSync(reports, { recursive: true });
const report = join(reports, 'services.json');
const args = ['run', '--config', 'vitest.services.config.ts', ...process.argv.slice(2)];
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
const code = await run(join(root, 'node_modules', '.bin', 'vitest'), [...args, ...reporters]);
const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
rmSync(reports, { recursive: true, force: true });
console.log(`${counts.numPassedTests ?? 0} passed, ${counts.numFailedTests ?? 0} failed`);
process.exitCode = code === 0 ? 0 : 1;

/** If a system lacks one of these packages, the other tests still run. */
async function installBrowsers() {
  const wanted = Object.keys(browserPackages).filter((program) => !isHere(program));
  const each = new Set(wanted.flatMap((program) => browserPackages[program]));
  if (each.size > 0) await install([...each]).catch(({ message }) => console.error(message));
}

async function install(names) {
  console.log(`Installing ${names.join(', ')}.`);
  // Debian starts a service on installation, unless the machine is in single-user mode.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await mustRun('apt-get', ['update', '-qq'], { env });
  await mustRun('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}

/** Debian keeps libfaketime in a folder that is named after the processor. */
function isClockLibraryHere() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  return folders.some((folder) => existsSync(join('/usr/lib', folder, 'faketime/libfaketime.so.1')));
}

/** A user's PATH often lacks the folder in which Debian installs nginx. */
function isHere(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
