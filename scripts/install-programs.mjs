import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { mustRun } from './run.mjs';

/** Debian packages of each program that tests and labs start, or of another file that they need. */
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
  javac: 'default-jdk-headless',
  zsh: 'zsh',
  fish: 'fish',
  gradle: 'gradle',
  mvn: 'maven',
  '/usr/share/maven-repo/org/codehaus/mojo/exec-maven-plugin': [
    'libexec-maven-plugin-java',
    ...['compiler', 'deploy', 'install', 'jar', 'resources'].map((plugin) => `libmaven-${plugin}-plugin-java`),
    'libsurefire-java',
  ],
  '/usr/lib/python3/dist-packages/tusclient': 'python3-tuspy',
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
  if (isAbsolute(program)) return existsSync(program);
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
