/**
 * Predicts what the plan will refuse, before anything is sent. It only warns and never blocks, because the server
 * decides.
 */
import type { Account } from '@holdfast/contract/src/account.ts';
import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';
import { formatCount, formatFiles, formatShortSize } from '../../../lib/format.ts';
import type { QueueSummary } from './selectors.ts';

export interface FileRules {
  /** Null if the page knows no plan of this name. */
  readonly plan: Pick<Plan, 'name' | 'allowedExtensions'> | null;
  readonly maxFileSize: number;
}

/** The reason why the server will probably refuse this file, or undefined if there is none. */
export function fileWarning(file: Pick<File, 'name' | 'size'>, { plan, maxFileSize }: FileRules): string | undefined {
  if (file.size > maxFileSize) return `Larger than your plan’s ${formatShortSize(maxFileSize)} limit.`;
  return plan ? typeRefusal(plan, extensionOf(cleanOriginalName(file.name))) : undefined;
}

export function roomWarning(
  { openFiles, openBytes }: Pick<QueueSummary, 'openFiles' | 'openBytes'>,
  { limits, usage }: Pick<Account, 'limits' | 'usage'>,
): string | undefined {
  const room = Math.max(0, limits.space_quota - usage.space_used);
  if (openBytes > room)
    return `These files need ${formatShortSize(openBytes)}. You have ${formatShortSize(room)} left.`;
  const slots = Math.max(0, limits.slots_quota - usage.slots_used);
  if (openFiles > slots)
    return `These are ${formatFiles(openFiles)}. You have ${formatCount(slots)} ${slots === 1 ? 'slot' : 'slots'} left.`;
  return undefined;
}
