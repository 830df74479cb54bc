/** The rules by which files appear and disappear, in the simplest form: arrays in memory, one step after the other. */
import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { type PlanLevel, standardPlans } from '@holdfast/contract/src/plans.ts';
import { days, hours } from '../../src/lib/clock.ts';

export interface ModelFile {
  readonly name: string;
  readonly originalName: string;
  readonly size: number;
  readonly uploadedAt: number;
  /** Files with the same bytes share this value; null where a test has no bytes for the file. */
  readonly bytes: string | null;
  favorite: boolean;
  /** 0 is never. */
  accessedAt: number;
  /** Time of the last restoration; 0 is never. */
  returnedAt: number;
}

export interface Model {
  readonly accounts: readonly [ModelAccount, ModelAccount];
  /** Bytes blocked from upload. Withheld files with other bytes are only waiting for space. */
  readonly blocked: Set<string>;
}

export interface ModelAccount {
  /** The oldest first. */
  files: ModelFile[];
  /** Files that their owner may restore, if there is space and nothing blocks their bytes. */
  deleted: (ModelFile & { readonly deletedAt: number })[];
  /** Files that are taken down, until they are restored. */
  withheld: ModelFile[];
  /** Time at which each of the bytes last lost a file here. */
  readonly lostAt: Map<string, number>;
  /** Outcomes of restorations: 'over quota', 'late', 'brought back' and 'no space'. */
  readonly restorations: Set<string>;
  /** The oldest first. */
  /** An entry of several files has no name here. */
  readonly activity: { readonly event: ActivityEvent; readonly name: string; readonly at: number; files: number }[];
  /** Slots used by files that do not exist, so that a few real ones fill the account. */
  slotsElsewhere: number;
  /** Length of the names of new files. */
  nameLength: number;
  /** Number of key changes. */
  keyChanges: number;
  level: PlanLevel;
  continuous: boolean;
  autoDeleteDays: number;
  activeAt: number;
  firstWarnedAt: number;
  lastWarnedAt: number;
  /** End of the day that the warnings name. */
  deletionDueAt: number;
  /** The warning that waits for the mail server. */
  warning: { readonly which: 'first' | 'last'; readonly queuedAt: number } | null;
  /** Time at which a warning was last given up; 0 is never. */
  warningFailedAt: number;
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

/** Returns the reasons to refuse a file, or the files that it evicts. */
export function judgeUpload(
  account: ModelAccount,
  blocked: ReadonlySet<string>,
  { size, extension, bytes }: NewFile,
): { faults: string[]; gone: string[] } {
  const { allowedExtensions } = standardPlans[account.level];
  const faults = allowedExtensions && !allowedExtensions.has(extension) ? ['UPLOAD_TYPE_REFUSED'] : [];
  if (blocked.has(bytes)) faults.push('UPLOAD_BLOCKED');
  const gone: string[] = [];
  const { spaceQuota, slotsQuota } = standardPlans[account.level];
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
  if (!fits(size, 1)) faults.push('UPLOAD_QUOTA_EXCEEDED');
  return { faults, gone };
}

export function takeDown({ accounts, blocked }: Model, bytes: string, at: number): void {
  blocked.add(bytes);
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

const withheldOf = ({ withheld }: ModelAccount, bytes: string) => withheld.filter((file) => file.bytes === bytes);

/** Restores all of an account's files of the bytes, or none. The first restored files end the hold for all accounts. */
export function restore({ accounts, blocked }: Model, bytes: string, at: number, overQuota: boolean): void {
  const isLate = !blocked.has(bytes);
  for (const account of accounts) {
    const back = withheldOf(account, bytes);
    const { spaceQuota, slotsQuota } = standardPlans[account.level];
    const { space_used: space, slots_used: slots } = usageOf({ ...account, files: [...account.files, ...back] });
    if (back.length === 0) continue;
    if (!overQuota && (space > spaceQuota || slots > slotsQuota)) {
      account.restorations.add('over quota');
      continue;
    }
    if (isLate) account.restorations.add('late');
    blocked.delete(bytes);
    account.withheld = account.withheld.filter((file) => file.bytes !== bytes);
    account.deletionDueAt = 0;
    for (const file of back) file.returnedAt = at;
    account.files = [...account.files, ...back].toSorted((a, b) => a.uploadedAt - b.uploadedAt);
    account.activity.push(...back.map(({ name }) => ({ event: 'restored' as const, name, at, files: 1 })));
  }
}

/** Files waiting for space are lost if their bytes have been unused since `until`. */
export function purge({ accounts, blocked }: Model, until: number): void {
  const isUsed = (bytes: string | null) => accounts.some(({ files }) => files.some((file) => file.bytes === bytes));
  const lostAt = (bytes: string | null) => Math.max(...accounts.map((each) => each.lostAt.get(bytes ?? '') ?? 0));
  for (const account of accounts) {
    account.withheld = account.withheld.filter(
      ({ bytes }) => blocked.has(bytes ?? '') || isUsed(bytes) || lostAt(bytes) > until,
    );
    account.deleted = account.deleted.filter(({ deletedAt }) => deletedAt > until);
  }
}

/** All of them or none. Returns their names; null if there is no space. */
export function bringBack(
  account: ModelAccount,
  blocked: ReadonlySet<string>,
  names: readonly string[],
  at: number,
): string[] | null {
  const isBlocked = (bytes: string | null) => bytes !== null && blocked.has(bytes);
  const back = account.deleted.filter(
    ({ name, bytes, deletedAt }) => names.includes(name) && deletedAt > at - days(1) && !isBlocked(bytes),
  );
  const { spaceQuota, slotsQuota } = standardPlans[account.level];
  const { space_used: space, slots_used: slots } = usageOf({ ...account, files: [...account.files, ...back] });
  if (back.length > 0 && (space > spaceQuota || slots > slotsQuota)) return null;
  account.deleted = account.deleted.filter((file) => !back.includes(file));
  const returned = back.map((file) => ({ ...file, returnedAt: at }));
  account.files = [...account.files, ...returned].toSorted((a, b) => a.uploadedAt - b.uploadedAt);
  return back.map(({ name }) => name);
}

/**
 * Everything is lost except a backup and the list of what was blocked, which was written at the last moment if `listed`.
 */
export function restoreService(backup: Model, lost: Model, listed: boolean, at: number): Model {
  const model = structuredClone(backup);
  for (const [index, account] of model.accounts.entries()) {
    Object.assign(account, { activeAt: at, firstWarnedAt: 0, lastWarnedAt: 0, warningFailedAt: 0, warning: null });
    for (const file of account.files) file.returnedAt = at;
    for (const outcome of lost.accounts[index]?.restorations ?? []) account.restorations.add(outcome);
  }
  for (const bytes of listed ? lost.blocked : []) if (!model.blocked.has(bytes)) takeDown(model, bytes, at);
  return model;
}

export function removeNames(account: ModelAccount, names: readonly string[], event: ActivityEvent | null, at: number) {
  const gone = account.files.filter((file) => names.includes(file.name));
  for (const { bytes } of gone) account.lostAt.set(bytes ?? '', at);
  if (event !== 'takedown') account.deleted.push(...gone.map((file) => ({ ...file, deletedAt: at })));
  account.files = account.files.filter((file) => !names.includes(file.name));
  if (event !== null) noteEntry(account, names, event, at);
}

/** Rules have one entry an hour, which counts files. */
function noteEntry({ activity }: ModelAccount, names: readonly string[], event: ActivityEvent, at: number): void {
  if (event === 'malware' || event === 'takedown')
    return void activity.push(...names.map((name) => ({ event, name, at, files: 1 })));
  const entry = activity.find((each) => each.event === event && each.at > at - hours(1));
  if (entry) entry.files += names.length;
  else if (names.length > 0) activity.push({ event, name: '', at, files: names.length });
}

export function autoDelete(account: ModelAccount, now: number): void {
  if (account.autoDeleteDays === 0) return;
  const old = account.files.filter(
    ({ favorite, uploadedAt, accessedAt, returnedAt }) =>
      !favorite && now - Math.max(uploadedAt, accessedAt, returnedAt) >= days(account.autoDeleteDays + 1) + hours(1),
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
  const [first, last] = [account.firstWarnedAt, account.lastWarnedAt];
  const holds = account.deletionDueAt > now - days(7);
  const mayWarn = account.warning === null && now - account.warningFailedAt >= days(7);
  if (account.files.length + account.slotsElsewhere === 0) return;
  if (first <= account.activeAt || !holds) {
    if (unusedFor < days(336) || !mayWarn) return;
    account.warning = { which: 'first', queuedAt: now };
    account.deletionDueAt = endOfDay(Math.max(account.activeAt + days(366), now + days(30)));
    account.firstWarnedAt = 0;
    account.lastWarnedAt = 0;
  } else if (last <= account.activeAt) {
    if (account.deletionDueAt > now + days(8) || !mayWarn) return;
    account.warning = { which: 'last', queuedAt: now };
    account.deletionDueAt = endOfDay(Math.max(account.deletionDueAt, first + days(30), now + days(7)));
  } else if (account.deletionDueAt <= now && now - first >= days(30) && now - last >= days(7)) {
    removeNames(
      account,
      account.files.map(({ name }) => name),
      'dormancy',
      now,
    );
  }
}

/** In the zone where days end last, at noon in UTC. */
const endOfDay = (time: number) => Math.ceil((time - hours(12)) / days(1)) * days(1) + hours(12);

/** Applies the outcome of a waiting warning. */
export function sendWarning(account: ModelAccount, now: number, says: 'yes' | 'nothing' | 'no'): void {
  const { warning } = account;
  if (!warning) return;
  const hasFiles = usageOf(account).slots_used > 0;
  if (account.activeAt >= warning.queuedAt || account.deletionDueAt <= now || !hasFiles) account.warning = null;
  else if (says === 'yes') {
    if (warning.which === 'first') account.firstWarnedAt = now;
    else account.lastWarnedAt = now;
    account.warningFailedAt = 0;
    account.warning = null;
  } else if (says === 'no' || now - warning.queuedAt >= days(3)) {
    account.warningFailedAt = now;
    account.warning = null;
  }
}
