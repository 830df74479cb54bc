/** The rules by which files come and go, as simply as they can be said: arrays in memory, one thing after the other. */
import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { type PlanLevel, plans } from '@holdfast/contract/src/plans.ts';
import { days } from '../../src/lib/clock.ts';

export interface ModelFile {
  readonly name: string;
  readonly originalName: string;
  readonly size: number;
  readonly uploadedAt: number;
  /** What it has in common with files of the same bytes; null where a test has no bytes for it. */
  readonly bytes: string | null;
  favorite: boolean;
  /** 0 is never. */
  accessedAt: number;
  /** When it last came back; 0 is never. */
  returnedAt: number;
  /** Of a withheld one, whether its bytes are, or it only waits for room. */
  held: boolean;
}

export interface ModelAccount {
  /** The oldest first. */
  files: ModelFile[];
  /** Taken down, until they come back. */
  withheld: ModelFile[];
  /** When bytes last lost a file here. */
  readonly lostAt: Map<string, number>;
  /** What became of restorations: 'no room' and 'late'. */
  readonly restorations: Set<string>;
  /** The first one first. */
  readonly activity: { readonly event: ActivityEvent; readonly name: string; readonly at: number }[];
  /** Slots that are taken by files that there are not, so that few fill the account. */
  slotsElsewhere: number;
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
  /** The warning that waits for the mail server. */
  warning: { readonly which: 'first' | 'last'; readonly queuedAt: number } | null;
  /** When a warning was given up last; 0 is never. */
  warningFailedAt: number;
  /** Times in which no process ran. */
  readonly outages: { readonly from: number; readonly to: number }[];
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
  if (all.some(({ withheld }) => withheld.some((file) => file.held && file.bytes === bytes)))
    faults.push('UPLOAD_BLOCKED');
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
    for (const file of withheldOf(account, bytes)) file.held = true;
    removeNames(
      account,
      gone.map(({ name }) => name),
      'takedown',
      at,
    );
  }
}

const withheldOf = ({ withheld }: ModelAccount, bytes: string) => withheld.filter((file) => file.bytes === bytes);

/** Of an account all files of the bytes come back or none. The first that come back end the hold for everybody. */
export function restore(accounts: readonly ModelAccount[], bytes: string, at: number, overQuota: boolean): void {
  for (const account of accounts) {
    const back = withheldOf(account, bytes);
    const { spaceQuota, slotsQuota } = plans[account.level];
    const { space_used: space, slots_used: slots } = usageOf({ ...account, files: [...account.files, ...back] });
    if (back.length === 0) continue;
    if (!overQuota && (space > spaceQuota || slots > slotsQuota)) {
      account.restorations.add('no room');
      continue;
    }
    if (back.some(({ held }) => !held) && !accounts.some((each) => withheldOf(each, bytes).some(({ held }) => held)))
      account.restorations.add('late');
    account.withheld = account.withheld.filter((file) => file.bytes !== bytes);
    for (const file of [...back, ...accounts.flatMap((each) => withheldOf(each, bytes))]) file.held = false;
    for (const file of back) file.returnedAt = at;
    account.files = [...account.files, ...back].toSorted((a, b) => a.uploadedAt - b.uploadedAt);
    account.activity.push(...back.map(({ name }) => ({ event: 'restored' as const, name, at })));
  }
}

/** What waits for room is lost once its bytes have been nobody's since `until`. */
export function purge(accounts: readonly ModelAccount[], until: number): void {
  const isUsed = (bytes: string | null) => accounts.some(({ files }) => files.some((file) => file.bytes === bytes));
  const lostAt = (bytes: string | null) => Math.max(...accounts.map((each) => each.lostAt.get(bytes ?? '') ?? 0));
  for (const account of accounts)
    account.withheld = account.withheld.filter(({ held, bytes }) => held || isUsed(bytes) || lostAt(bytes) > until);
}

export function removeNames(account: ModelAccount, names: readonly string[], event: ActivityEvent | null, at: number) {
  for (const { name, bytes } of account.files) if (names.includes(name)) account.lostAt.set(bytes ?? '', at);
  account.files = account.files.filter((file) => !names.includes(file.name));
  if (event !== null) account.activity.push(...names.map((name) => ({ event, name, at })));
}

/** For how long the service ran since `time`. */
const ranSince = ({ outages }: ModelAccount, time: number, now: number) =>
  now - time - outages.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, time)), 0);

export function autoDelete(account: ModelAccount, now: number): void {
  if (account.autoDeleteDays === 0) return;
  const old = account.files.filter(
    ({ favorite, uploadedAt, accessedAt, returnedAt }) =>
      !favorite && ranSince(account, Math.max(uploadedAt, accessedAt, returnedAt), now) >= days(account.autoDeleteDays),
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
  const mayWarn = account.warning === null && now - account.warningFailedAt >= days(7);
  if (account.files.length + account.slotsElsewhere === 0) return;
  if (first <= account.activeAt) {
    if (unusedFor >= days(336) && mayWarn) account.warning = { which: 'first', queuedAt: now };
  } else if (last <= account.activeAt) {
    if (unusedFor >= days(359) && now - first >= days(23) && mayWarn)
      account.warning = { which: 'last', queuedAt: now };
  } else if (unusedFor >= days(366) && now - first >= days(30) && ranSince(account, last, now) >= days(7)) {
    removeNames(
      account,
      account.files.map(({ name }) => name),
      'dormancy',
      now,
    );
  }
}

/** What becomes of a warning that waits. */
export function sendWarning(account: ModelAccount, now: number, says: 'yes' | 'nothing' | 'no'): void {
  const { warning } = account;
  if (!warning) return;
  if (account.activeAt >= warning.queuedAt) account.warning = null;
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
