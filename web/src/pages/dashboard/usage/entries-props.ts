import type { ActivityEntry } from '@holdfast/contract/src/activity.ts';

export interface EntriesProps {
  readonly entries: readonly ActivityEntry[];
  readonly timeZone: string;
}
