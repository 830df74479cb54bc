/**
 * Locks by which other processes see that the holder lives. The kernel releases them when a process dies, and they work
 * between containers that share a disk but not their process numbers. SQLite's file locks are the only ones that Node has.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

export interface ProcessLock {
  /** Removes the file and releases the lock. */
  release(): void;
  /** Releases the lock and leaves the file. */
  leave(): void;
}

/**
 * Takes the lock if nobody has it. `held`: another process has it. `unknown`: there is no such file, or locks do not work
 * here.
 */
export function takeLock(path: string, { create }: { readonly create: boolean }): ProcessLock | 'held' | 'unknown' {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(`${pathToFileURL(path).href}?mode=${create ? 'rwc' : 'rw'}`);
    // Without a journal of its own beside it.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file?.close();
    return isBusy(error) ? 'held' : 'unknown';
  }
  const taken = file;
  return {
    release() {
      rmSync(path, { force: true });
      taken.close();
    },
    leave: () => taken.close(),
  };
}

/** SQLITE_BUSY. */
const busy = 5;
const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === busy;

/**
 * Returns an id of the running kernel, which is the same in all containers of a machine; null if it is unknown. Locks are
 * sure to be seen between processes of one kernel only.
 */
export function kernelId(): string | null {
  try {
    const id =
      platform() === 'darwin'
        ? execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' })
        : readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return /^[\w-]{8,64}$/.exec(id.trim())?.[0].toLowerCase() ?? null;
  } catch {
    return null;
  }
}
