/** The rules by which files come and go, as simply as they can be said: arrays in memory, one thing after the other. */
import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { type PlanLevel, plans } from '@holdfast/contract/src/plans.ts';
import { days } from '../../src/lib/clock.ts';

export interface ModelFile {
  readonly name: string;
  readonly size: number;
  readonly uploadedAt: number;
  /** What it has in common with files of the same bytes; null where a test has no bytes for it. */
  readonly bytes: string | null;
  favorite: boolean;
  /** 0 is never. */
  accessedAt: number;
}

export interface ModelAccount {
  /** The oldest first. */
  files: ModelFile[];
  /** The first one first. */
  readonly activity: { readonly event: ActivityEvent; readonly name: string; readonly at: number }[];
  /** Slots that are taken by files that there are not, so that few fill the account. */
  readonly slotsElsewhere: number;
  level: PlanLevel;
  continuous: boolean;
  autoDeleteDays: number;
  activeAt: number;
  firstWarnedAt: number;
  lastWarnedAt: number;
}

export const usageOf = ({ files, slotsElsewhere }: ModelAccount) => ({
  space_used: files.reduce((sum, { size }) => sum + size, 0),
  slots_used: files.length + slotsElsewhere,
});

export interface NewFile {
  readonly size: number;
  readonly extension: string;
}

/** Why a file is refused, or the files that go for it. */
export function judgeUpload(account: ModelAccount, { size, extension }: NewFile): { faults: string[]; gone: string[] } {
  const { allowedExtensions } = plans[account.level];
  const faults = allowedExtensions && !allowedExtensions.has(extension) ? ['UPLOAD_TYPE_REFUSED'] : [];
  const gone: string[] = [];
  const { spaceQuota, slotsQuota } = plans[account.level];
  const usage = usageOf(account);
  const fits = (more: number, slots: number) =>
    usage.space_used + more <= spaceQuota && usage.slots_used + slots <= slotsQuota;
  if (account.continuous && fits(0, 0))
    for (const file of account.files) {
      if (fits(size, 1)) break;
      if (file.favorite) continue;
      gone.push(file.name);
      usage.space_used -= file.size;
      usage.slots_used -= 1;
    }
  if (!fits(size, 1)) faults.push('UPLOAD_NO_ROOM');
  return { faults, gone };
}

export function removeNames(account: ModelAccount, names: readonly string[], event: ActivityEvent | null, at: number) {
  account.files = account.files.filter((file) => !names.includes(file.name));
  if (event !== null) account.activity.push(...names.map((name) => ({ event, name, at })));
}

export function autoDelete(account: ModelAccount, now: number): void {
  if (account.autoDeleteDays === 0) return;
  const limit = now - days(account.autoDeleteDays);
  const old = account.files.filter(
    ({ favorite, uploadedAt, accessedAt }) => !favorite && (accessedAt === 0 ? uploadedAt : accessedAt) <= limit,
  );
  removeNames(
    account,
    old.map(({ name }) => name),
    'inactivity',
    now,
  );
}

export function goDormant(account: ModelAccount, now: number): void {
  const unusedFor = now - account.activeAt;
  const warned = account.firstWarnedAt > account.activeAt;
  if (account.files.length + account.slotsElsewhere === 0) return;
  if (!warned) {
    if (unusedFor >= days(335)) account.firstWarnedAt = now;
  } else if (account.lastWarnedAt <= account.activeAt) {
    if (unusedFor >= days(358) && now - account.firstWarnedAt >= days(23)) account.lastWarnedAt = now;
  } else if (
    unusedFor >= days(365) &&
    now - account.firstWarnedAt >= days(30) &&
    now - account.lastWarnedAt >= days(7)
  ) {
    removeNames(
      account,
      account.files.map(({ name }) => name),
      'dormancy',
      now,
    );
  }
}
