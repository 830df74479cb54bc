/** When something last changed in this process, by id, for caches that must not return what is older. */
export interface RecentChanges {
  note(id: string): void;
  /** Returns whether it changed, or may have changed, after `at`, a time of `performance.now()`. */
  readonly hasChanged: (id: string, at: number) => boolean;
}

/** About 10 MB. */
const mostNoted = 50_000;

export function createRecentChanges(most = mostNoted): RecentChanges {
  const changedAt = new Map<string, number>();
  let allChangedAt = -Infinity;
  return {
    note(id) {
      changedAt.delete(id);
      changedAt.set(id, performance.now());
      if (changedAt.size <= most) return;
      // Which ids changed until now is no longer known.
      changedAt.clear();
      allChangedAt = performance.now();
    },
    hasChanged: (id, at) => Math.max(allChangedAt, changedAt.get(id) ?? -Infinity) >= at,
  };
}
