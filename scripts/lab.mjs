/**
 * `npm run lab -- NAME [arguments]`: runs an experiment that is too long, too dependent on the machine or too destructive
 * for a test. Nothing waits for its result. Without a name it lists them.
 */
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensurePrograms } from './install-programs.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { pinnedNode, root, run } from './run.mjs';

const program = (path, programs = []) => ({ command: pinnedNode(), args: [path], programs });
const tests = (projects, programs = []) => ({
  command: join(root, 'node_modules', '.bin', 'vitest'),
  args: ['run', ...projects.flatMap((name) => ['--project', name])],
  programs,
});

const store = ['radosgw', 'ceph-osd', 'ceph-mon', 'uuidgen'];
const labs = {
  bench: program('labs/bench/run.ts', ['nginx', 'wrk', 'openssl', 'curl', 'python3', 'cc']),
  scale: program('labs/bench/scale/run.ts'),
  soak: program('labs/soak/soak.ts', ['strace']),
  drill: tests(['drill on sqlite', 'drill on postgres'], ['strace']),
  disk: tests(['disk on sqlite', 'disk on postgres'], ['strace']),
  attack: tests(['attack on sqlite', 'attack on postgres']),
  s3: tests(['drill on postgres and S3'], [...store, 'strace']),
  machines: tests(
    ['machines'],
    [...store, 'nginx', 'caddy', 'openssl', 'curl', 'jq', 'unshare', 'ip', 'runuser', 'sudo'],
  ),
  engines: tests(['browser engines'], ['firefox-esr', 'WebKitWebDriver', 'Xvfb']),
};

const [name = '', ...args] = process.argv.slice(2);
const lab = labs[name];
if (lab === undefined) {
  console.error(`npm run lab -- NAME, one of: ${Object.keys(labs).join(', ')}`);
  process.exit(1);
}
await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  await ensureWebBuilt();
  await ensurePrograms(lab.programs);
});
process.exitCode = await run(lab.command, [...lab.args, ...args]);
