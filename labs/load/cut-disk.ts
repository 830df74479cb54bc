/**
 * A disk whose power can be cut: ext4 on a loop device, shut down as the tests of Linux file systems do it. Whatever the
 * file system has not yet handed to the device is lost, its journal included. What a device's own cache would lose is
 * not simulated.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface CutDisk extends AsyncDisposable {
  readonly path: string;
  /** From here on nothing reaches the device, and every sync fails. */
  cut(): Promise<void>;
  /** Mounts it again, after every process that had files open on it has ended. */
  recover(): Promise<void>;
}

const run = promisify(execFile);
const bytes = 2_000_000_000;

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH. */
const shutDown = `open(my $f, '<', $ARGV[0]) or die; my $how = pack('L', 2); defined ioctl($f, 0x8004587d, $how) or die $!`;

/** Returns why no power can be cut here, or null. */
export function cutDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a loop device needs root on Linux';
  for (const program of ['mkfs.ext4', 'losetup', 'mount', 'perl'])
    if (spawnSync(program, ['--version']).error) return `${program} is not installed`;
  return spawnSync('losetup', ['--find']).status === 0 ? null : 'there is no free loop device';
}

export async function openCutDisk(folder: string): Promise<CutDisk> {
  const [image, path] = [join(folder, 'disk.img'), join(folder, 'disk')];
  const file = await open(image, 'wx');
  await file.truncate(bytes);
  await file.close();
  await run('mkfs.ext4', ['-q', image]);
  await mkdir(path);
  // Nothing is written back early, so that a missing sync shows.
  const mount = () => run('mount', ['-o', 'loop,commit=60,noauto_da_alloc', image, path]);
  await mount();
  return {
    path,
    async cut() {
      await run('perl', ['-e', shutDown, path]);
    },
    async recover() {
      await run('umount', [path]);
      await mount();
    },
    async [Symbol.asyncDispose]() {
      await run('umount', [path]);
    },
  };
}
