import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Siege } from './beset-server.ts';
import type { Kind } from './strangers.ts';

const script = fileURLToPath(new URL('beset-server.ts', import.meta.url));
const run = promisify(execFile);

/** The strangers' own buffers are small here, so that kernel memory is the server's. */
const prepare = (lowat: number | null) =>
  [
    'ip link set lo up',
    'sysctl -qw net.ipv4.tcp_rmem="4096 65536 65536"',
    ...(lowat === null ? [] : [`sysctl -qw net.ipv4.tcp_notsent_lowat=${lowat}`]),
    'exec "$0" "$@"',
  ].join(' && ');

/** Returns why this machine cannot have a network that is separate from that of other programs, or null. */
export function noNamespace(): string | null {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  try {
    execFileSync('unshare', ['-n', 'sh', '-c', prepare(null), 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'this user may not create a network namespace (unshare -n)';
  }
}

/** Besets a server in a network of its own: kernel memory is limited for the whole machine. */
export async function besiege(
  strangers: Partial<Record<Kind, number>>,
  { lowat = null }: { readonly lowat?: number | null } = {},
): Promise<Siege> {
  const { stdout } = await run('unshare', ['-n', 'sh', '-c', prepare(lowat), process.execPath, script], {
    env: { PATH: process.env['PATH'], STRANGERS: JSON.stringify(strangers) },
  });
  return JSON.parse(stdout) as Siege;
}
