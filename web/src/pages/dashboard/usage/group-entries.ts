import type { ActivityEntry, ActivityEvent } from '@holdfast/contract/src/activity.ts';

export interface ActivityGroup {
  readonly event: ActivityEvent;
  readonly entries: readonly ActivityEntry[];
  readonly files: number;
}

/** Entries of one event that follow each other, so that its reason need not be repeated. Their order stays. */
export function groupEntries(entries: readonly ActivityEntry[]): readonly ActivityGroup[] {
  const groups: ActivityGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.event === entry.event)
      groups[groups.length - 1] = {
        ...last,
        entries: [...last.entries, entry],
        files: last.files + entry.files,
      };
    else groups.push({ event: entry.event, entries: [entry], files: entry.files });
  }
  return groups;
}
