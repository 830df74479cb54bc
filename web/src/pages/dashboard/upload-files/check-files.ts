/** What the plan will refuse, said before anything is sent. A warning, never a block (the server decides). */
import type { Account } from '@holdfast/contract/src/account.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import { formatCount, formatSize } from '../../../lib/format.ts';
import type { Summary } from './summary.ts';

/** What a plan asks of each file alone. */
export interface FileRules {
  readonly level: Account['info']['level'];
  readonly maxFileSize: number;
}

/** The extensions that a plan takes, or null where every type is welcome. */
export function allowedExtensions(level: FileRules['level']): ReadonlySet<string> | null {
  return Object.values(plans).find((plan) => plan.name === level)?.allowedExtensions ?? null;
}

/** Lower case and without the dot; empty where the name has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Why the server will probably refuse this file, or undefined where nothing speaks against it. */
export function fileWarning(file: Pick<File, 'name' | 'size'>, { level, maxFileSize }: FileRules): string | undefined {
  if (file.size > maxFileSize) return `Larger than the ${formatSize(maxFileSize)} that your plan allows per file.`;
  const allowed = allowedExtensions(level);
  const extension = extensionOf(file.name);
  if (!allowed || allowed.has(extension)) return undefined;
  return extension === ''
    ? `The ${level} plan does not accept files without an extension.`
    : `The ${level} plan does not accept .${extension} files.`;
}

/** Why what is still to be sent will probably not all fit. */
export function roomWarning(
  { openFiles, openBytes }: Pick<Summary, 'openFiles' | 'openBytes'>,
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
