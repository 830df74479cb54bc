import { hours } from '../lib/clock.ts';
import type { RecentChanges } from '../lib/recent-changes.ts';

/** About 10 MB. */
const mostNames = 20_000;
const rememberedFor = hours(1);

/** What a file's link depends on. */
interface Linked {
  readonly blobId: string;
  readonly accountId: string;
}

/** The files of names that were resolved lately, for downloads while the database is away. */
export interface RememberedNames<File extends Linked> {
  /** `askedAt` is the time of `performance.now()` when the query for it began. */
  remember(name: string, file: File, askedAt: number): void;
  /** Returns nothing that this process has seen deleted, taken down, or given another plan since. */
  recall(name: string): File | undefined;
  forget(name: string): void;
  clear(): void;
}

interface Entry<File> {
  readonly file: File;
  readonly askedAt: number;
}

export function createRememberedNames<File extends Linked>(
  changes: RecentChanges,
  most = mostNames,
): RememberedNames<File> {
  // A map preserves insertion order, so its first entry was resolved longest ago.
  const entries = new Map<string, Entry<File>>();
  return {
    remember(name, file, askedAt) {
      entries.delete(name);
      entries.set(name, { file, askedAt });
      if (entries.size <= most) return;
      for (const oldest of entries.keys()) return void entries.delete(oldest);
    },
    recall(name) {
      const entry = entries.get(name);
      if (!entry || performance.now() - entry.askedAt > rememberedFor) return undefined;
      const { file, askedAt } = entry;
      const hasChanged = [file.blobId, file.accountId].some((id) => changes.hasChanged(id, askedAt));
      return hasChanged ? undefined : file;
    },
    forget: (name) => void entries.delete(name),
    clear: () => entries.clear(),
  };
}

/** For names that can be resolved elsewhere. */
export const noRememberedNames = <File extends Linked>(): RememberedNames<File> => ({
  remember: () => {},
  recall: () => undefined,
  forget: () => {},
  clear: () => {},
});
