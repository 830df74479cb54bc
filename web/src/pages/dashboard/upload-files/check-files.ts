/**
 * Predicts what the plan will refuse, before anything is sent. It only warns and never blocks, because the server
 * decides.
 */
import type { Account } from '@holdfast/contract/src/account.ts';
import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import { formatCount, formatSize } from '../../../lib/format.ts';
import type { QueueSummary } from './selectors.ts';

/** The plan's rules for a single file. */
export interface FileRules {
  readonly level: Account['info']['level'];
  readonly maxFileSize: number;
}

/** The extensions that a plan allows, or null if it allows every type. */
export const allowedExtensions = (level: FileRules['level']): ReadonlySet<string> | null =>
  planNamed(level)?.allowedExtensions ?? null;

const planNamed = (level: FileRules['level']) => Object.values(plans).find((plan) => plan.name === level);

/** The reason why the server will probably refuse this file, or undefined if there is none. */
export function fileWarning(file: Pick<File, 'name' | 'size'>, { level, maxFileSize }: FileRules): string | undefined {
  if (file.size > maxFileSize) return `Larger than the ${formatSize(maxFileSize)} that your plan allows per file.`;
  const plan = planNamed(level);
  return plan && typeRefusal(plan, extensionOf(cleanOriginalName(file.name)));
}

/** The reason why the remaining files will probably not all fit. */
export function roomWarning(
  { openFiles, openBytes }: Pick<QueueSummary, 'openFiles' | 'openBytes'>,
  { limits, usage }: Pick<Account, 'limits' | 'usage'>,
): string | undefined {
  const room = Math.max(0, limits.space_quota - usage.space_used);
  if (openBytes > room)
    return `These files need ${formatSize(openBytes)}, and your account has room for ${formatSize(room)}.`;
  const slots = Math.max(0, limits.slots_quota - usage.slots_used);
  if (openFiles > slots)
    return `These are ${formatCount(openFiles)} files, and your account has slots for ${formatCount(slots)}.`;
  return undefined;
}
