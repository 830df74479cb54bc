import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  readonly code: number | null;
  /** Standard output and standard error, each in its order. */
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a script of bash as root in a copy of this machine: with all of its programs and files, the repository in
 * `/opt/holdfast` without its settings and data, a user `holdfast`, loopback as the only network, and processes of its
 * own. What the script writes is lost at its end, and the processes that it started end with it, or when `signal` aborts.
 * Needs root on Linux.
 */
export async function runInThrowawayMachine(script: string, signal: AbortSignal): Promise<Ended> {
  const place = await mkdtemp(join(tmpdir(), 'holdfast-machine-'));
  try {
    await writeFile(join(place, 'script'), script);
    const namespaces = ['--mount', '--propagation', 'private', '--net', '--uts', '--pid', '--fork', '--kill-child'];
    const child = spawn('unshare', [...namespaces, 'sh', '-c', setUp, 'sh', place, root], {
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      // unshare blocks SIGTERM while it waits for the process in its namespace.
      killSignal: 'SIGKILL',
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The mounts are in a namespace of their own, so they end with the processes. */
const setUp = `
set -eu
place=$1
program=$2
mkdir "$place/memory"
mount -t tmpfs -o mode=755 tmpfs "$place/memory"
cd "$place/memory"
mkdir root changes work program-changes program-work
mount -t overlay overlay -o "lowerdir=/,upperdir=changes,workdir=work" root
mkdir -p root/opt/holdfast
mount -t overlay overlay -o "lowerdir=$program,upperdir=program-changes,workdir=program-work" root/opt/holdfast
chmod 755 root/opt/holdfast
rm -rf root/opt/holdfast/.env root/opt/holdfast/data
cp "$place/script" root/opt/script
mount -t proc proc root/proc
mount --rbind /dev root/dev
mount -t tmpfs -o mode=1777 tmpfs root/tmp
mount -t tmpfs -o mode=755 tmpfs root/run
ip link set lo up
# aria2 looks up names only if there is an address besides 127.0.0.1.
ip address add 192.0.2.2/32 dev lo
hostname machine
echo '127.0.0.1 localhost machine holdfast.example files.holdfast.example mirror.holdfast.example' > root/etc/hosts
exec chroot root /bin/bash /opt/script
`;
