/** The temp files of a disk store. Each name says which process writes the file, and a lock whether that one lives. */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseLink } from '../../lib/refuse-link.ts';
import { kernelId, type ProcessLock, takeLock } from './process-lock.ts';

/**
 * Uploads without progress are ended long before this, so an older temp file of a process on another machine, or from
 * before this one was restarted, belongs to a process that died.
 */
const abandonedAfterMs = 10 * 60 * 1000;
const lockSuffix = '.lock';

export interface TempFiles extends Disposable {
  /** Returns a path that no other temp file has. The first one takes the lock of this process. */
  newPath(name: string): string;
  /** Removes the temp files of processes that died and returns their number; a dry run only counts. */
  sweep(dryRun: boolean): Promise<number>;
}

export function openTempFiles(folder: string): TempFiles {
  const kernel = kernelId();
  let own: Owner | undefined;
  return {
    newPath(name) {
      own ??= becomeOwner(folder, kernel);
      return join(folder, `${name}.${randomUUID()}.${own.name}`);
    },
    async sweep(dryRun) {
      await refuseLink(folder);
      let abandoned = 0;
      for (const [owner, names] of byOwner(await readdir(folder))) {
        if (owner === own?.name) continue;
        abandoned += await sweepOwner(folder, { owner, names, kernel, dryRun });
      }
      return abandoned;
    },
    [Symbol.dispose]() {
      own?.lock?.release();
      own = undefined;
    },
  };
}

interface Owner {
  readonly name: string;
  /** Null where locks do not work: then only the age of its files tells whether it lives. */
  readonly lock: ProcessLock | null;
}

function becomeOwner(folder: string, kernel: string | null): Owner {
  for (;;) {
    const name = `${kernel ?? 'unknown'}_${randomUUID()}`;
    const lock = takeLock(join(folder, name + lockSuffix), { create: true });
    // A sweep of another process has just tried the new lock.
    if (lock !== 'held') return { name, lock: lock === 'unknown' ? null : lock };
  }
}

/** Groups names by their owners. The name of a temp file ends with that of its owner; others have none. */
function byOwner(names: readonly string[]): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const name of names) {
    const owner = /(?:^|\.)([\w-]+_[0-9a-f-]{36})(?:\.lock)?$/.exec(name)?.[1] ?? '';
    const files = owners.get(owner) ?? [];
    owners.set(owner, files);
    if (!name.endsWith(lockSuffix)) files.push(name);
  }
  return owners;
}

interface Sweep {
  /** Empty for files without an owner. */
  readonly owner: string;
  readonly names: readonly string[];
  readonly kernel: string | null;
  readonly dryRun: boolean;
}

async function sweepOwner(folder: string, { owner, names, kernel, dryRun }: Sweep): Promise<number> {
  const isHere = kernel !== null && owner.startsWith(`${kernel}_`);
  const lock = isHere ? takeLock(join(folder, owner + lockSuffix), { create: false }) : 'unknown';
  if (lock === 'held') return 0;
  const dead = lock === 'unknown' ? await agedAmong(folder, names) : names;
  if (!dryRun) for (const name of dead) await rm(join(folder, name), { force: true });
  // A dry run leaves the lock of a dead process as it was.
  if (lock !== 'unknown') {
    if (dryRun) lock.leave();
    else lock.release();
  }
  return dead.length;
}

async function agedAmong(folder: string, names: readonly string[]): Promise<string[]> {
  const aged: string[] = [];
  for (const name of names) {
    const facts = await lstat(join(folder, name)).catch(() => null);
    if (facts && Date.now() - facts.mtimeMs > abandonedAfterMs) aged.push(name);
  }
  return aged;
}
