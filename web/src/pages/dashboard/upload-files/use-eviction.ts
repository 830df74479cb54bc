import type { Account } from '@holdfast/contract/src/account.ts';
import type { DeletionPreview } from '@holdfast/contract/src/activity.ts';
import { useMemo } from 'react';
import { planNamed } from '../../../lib/plans.ts';
import { useSettings } from '../../../api/account/settings.ts';
import { useEvictionFor } from '../../../api/files.ts';
import { fileWarning, type FileRules } from './check-files.ts';
import type { Queue } from './queue.ts';
import { useQueue } from './use-queue.ts';

/** What Continuous Uploading would delete for the files that wait for the button. */
export function useEviction({ limits, usage }: Account, rules: FileRules): Eviction {
  const { data: settings } = useSettings();
  const bytes = useQueue((queue) => acceptable(queue, rules).reduce((sum, { file }) => sum + file.size, 0));
  const files = useQueue((queue) => acceptable(queue, rules).length);
  const isOn =
    settings?.account.settings.continuous_uploading === true &&
    files > 0 &&
    (usage.space_used + bytes > limits.space_quota || usage.slots_used + files > limits.slots_quota);
  const { data: preview } = useEvictionFor({ bytes, files }, isOn);
  return { isOn, preview };
}

interface Eviction {
  readonly isOn: boolean;
  readonly preview: DeletionPreview | undefined;
}

/** Returns the same object while the plan is the same, because the account is refetched repeatedly during uploads. */
export const useFileRules = ({ info: { level }, limits: { max_file_size: maxFileSize } }: Account): FileRules =>
  useMemo(() => ({ plan: planNamed(level), maxFileSize }), [level, maxFileSize]);

/** Nothing is deleted for a file that is refused. A running batch says afterwards what it deleted. */
const acceptable = ({ items, running }: Queue, rules: FileRules) =>
  running ? [] : items.filter(({ file, status }) => status === 'pending' && fileWarning(file, rules) === undefined);
