/** What the plan will refuse, said before anything is sent. A warning, never a block (the server decides). */
import type { Account } from '@holdfast/contract/src/account.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import { formatCount, formatSize } from '../../../lib/format.ts';
import type { Queue } from './queue.ts';

/** The extensions that the account's plan takes, or null where every type is welcome. */
export function allowedExtensions(account: Account): ReadonlySet<string> | null {
  return Object.values(plans).find((plan) => plan.name === account.info.level)?.allowedExtensions ?? null;
}

/** Lower case and without the dot; empty where the name has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Why the server will probably refuse this file, or undefined where nothing speaks against it. */
export function fileWarning(file: Pick<File, 'name' | 'size'>, account: Account): string | undefined {
  const { max_file_size } = account.limits;
  if (file.size > max_file_size) return `Larger than the ${formatSize(max_file_size)} that your plan allows per file.`;
  const allowed = allowedExtensions(account);
  const extension = extensionOf(file.name);
  if (!allowed || allowed.has(extension)) return undefined;
  return extension === ''
    ? `The ${account.info.level} plan does not accept files without an extension.`
    : `The ${account.info.level} plan does not accept .${extension} files.`;
}

/** Why what is still to be sent will probably not all fit. */
export function roomWarning(queue: Queue, { limits, usage }: Account): string | undefined {
  const waiting = queue.items.filter(({ status }) => status === 'pending' || status === 'uploading');
  const bytes = waiting.reduce((sum, { file }) => sum + file.size, 0);
  const room = Math.max(0, limits.space_quota - usage.space_used);
  if (bytes > room) return `These files need ${formatSize(bytes)}, and your account has room for ${formatSize(room)}.`;
  const slots = Math.max(0, limits.slots_quota - usage.slots_used);
  if (waiting.length > slots)
    return `These are ${formatCount(waiting.length)} files, and your account has slots for ${formatCount(slots)}.`;
  return undefined;
}
