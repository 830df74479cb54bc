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
  /** Taken down, until they come back. */
  withheld: ModelFile[];
  /** The first one first. */
  readonly activity: { readonly event: ActivityEvent; readonly name: string; readonly at: number }[];
  /** Slots that are taken by files that there are not, so that few fill the account. */
  readonly slotsElsewhere: number;
  /** Of the names of new files. */
  nameLength: number;
  /** How often its key was changed. */
  keyChanges: number;
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
  readonly bytes: string;
  readonly extension: string;
}

/** Why a file is refused, or the files that go for it. */
export function judgeUpload(
  account: ModelAccount,
  all: readonly ModelAccount[],
  { size, extension, bytes }: NewFile,
): { faults: string[]; gone: string[] } {
  const { allowedExtensions } = plans[account.level];
  const faults = allowedExtensions && !allowedExtensions.has(extension) ? ['UPLOAD_TYPE_REFUSED'] : [];
  if (all.some(({ withheld }) => withheld.some((file) => file.bytes === bytes))) faults.push('UPLOAD_BLOCKED');
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

export function takeDown(accounts: readonly ModelAccount[], bytes: string, at: number): void {
  for (const account of accounts) {
    const gone = account.files.filter((file) => file.bytes === bytes);
    account.withheld.push(...gone);
    removeNames(
      account,
      gone.map(({ name }) => name),
      'takedown',
      at,
    );
  }
}

export function restore(accounts: readonly ModelAccount[], bytes: string, at: number): void {
  for (const account of accounts) {
    const back = account.withheld.filter((file) => file.bytes === bytes);
    account.withheld = account.withheld.filter((file) => file.bytes !== bytes);
    account.files = [...account.files, ...back].toSorted((a, b) => a.uploadedAt - b.uploadedAt);
    account.activity.push(...back.map(({ name }) => ({ event: 'restored' as const, name, at })));
  }
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
    if (unusedFor >= days(336)) account.firstWarnedAt = now;
  } else if (account.lastWarnedAt <= account.activeAt) {
    if (unusedFor >= days(359) && now - account.firstWarnedAt >= days(23)) account.lastWarnedAt = now;
  } else if (
    unusedFor >= days(366) &&
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
