/**
 * `npm run test:services`: the tests with other programs around Holdfast. On Debian it installs those programs when it
 * may, elsewhere it says which are missing. Ends with one line that counts the tests.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { mustRun, root, run } from './run.mjs';

/** Each program that the tests start, and the Debian package that has it. */
const packageOf = {
  nginx: 'nginx',
  curl: 'curl',
  wget: 'wget',
  aria2c: 'aria2',
  openssl: 'openssl',
  clamd: 'clamav-daemon',
};

const missing = Object.keys(packageOf).filter((program) => !isHere(program));
const packages = missing.map((program) => packageOf[program]);
if (missing.length > 0 && (process.getuid?.() !== 0 || !isHere('apt-get'))) {
  console.error(`The services tests need ${missing.join(', ')}: apt-get install ${packages.join(' ')}`);
  process.exit(1);
}
await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  if (packages.length > 0) await install();
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

async function install() {
  console.log(`Installing ${packages.join(', ')}.`);
  // Debian starts a service when it installs it, unless the machine is in single-user mode.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await mustRun('apt-get', ['update', '-qq'], { env });
  await mustRun('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

/** A user's path often lacks the folder that Debian keeps nginx in. */
function isHere(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
