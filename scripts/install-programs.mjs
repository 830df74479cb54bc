import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { mustRun } from './run.mjs';

/** Debian package of each program that tests and labs start. */
export const packageOf = {
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
  pgbouncer: 'pgbouncer',
  radosgw: 'radosgw',
  'ceph-osd': 'ceph-osd',
  'ceph-mon': 'ceph-mon',
  wrk: 'wrk',
  python3: 'python3',
  cc: 'gcc',
  strace: 'strace',
  'firefox-esr': 'firefox-esr',
  // Firefox and WebKit play MP4 with its libraries.
  WebKitWebDriver: ['webkit2gtk-driver', 'gstreamer1.0-libav'],
  Xvfb: 'xvfb',
};

/** Installs what is missing if this may run `apt-get`; otherwise says what is missing and ends the process. */
export async function ensurePrograms(programs) {
  const missing = programs.filter((program) => !isHere(program));
  if (missing.length === 0) return;
  const packages = missing.flatMap((program) => packageOf[program]);
  if (process.getuid?.() !== 0 || !isHere('apt-get')) {
    console.error(`This needs ${missing.join(', ')}: apt-get install ${packages.join(' ')}`);
    process.exit(1);
  }
  console.log(`Installing ${packages.join(', ')}.`);
  // Debian starts a service on installation, unless the machine is in single-user mode.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await mustRun('apt-get', ['update', '-qq'], { env });
  await mustRun('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

/** A user's PATH often lacks the folder in which Debian installs nginx. */
function isHere(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
