import type { AccountSettings, OneSetting, SettingsOptions } from '@holdfast/contract/src/account.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { autoDeleteDays, filenameLength } from '@holdfast/contract/src/limits.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import type { Caller } from './identify.ts';
import { changeAccount } from './lock-caller.ts';
import { currentName, timezoneNamed, timezones } from './timezone.ts';

export function settingsOf(context: Context, account: AccountRow): AccountSettings {
  return {
    timezone_auto: account.timezone_auto === 1,
    timezone: currentName(account.timezone),
    return_file_extension: account.return_file_extension === 1,
    continuous_uploading: account.continuous_uploading === 1,
    inactivity_auto_delete_days: account.inactivity_auto_delete_days,
    preferred_domain: preferredDomain(context, account),
    preferred_filename_length: account.preferred_filename_length,
  };
}

export function settingsOptionsOf({ config: { origins } }: Context): SettingsOptions {
  return {
    timezone_auto_options: [true, false],
    timezone_options: timezones,
    return_file_extension_options: [true, false],
    continuous_uploading_options: [true, false],
    inactivity_auto_delete_days_options: { min: autoDeleteDays.min, max: autoDeleteDays.max },
    preferred_domain_options: origins.files.map(hostOf),
    preferred_filename_length_options: { min: filenameLength.min, max: filenameLength.max },
  };
}

/** @throws {Failure} INVALID_INPUT, AUTH_REQUIRED. */
export async function changeSetting(context: Context, caller: Caller, setting: OneSetting): Promise<void> {
  await changeAccount(context, caller, columnsOf(context, setting));
}

type SettingColumns = Partial<Pick<AccountRow, keyof AccountSettings>>;

/** The contract has checked types and ranges; server-specific values are checked here. */
function columnsOf(context: Context, { preferred_domain, ...setting }: OneSetting): SettingColumns {
  if (preferred_domain !== undefined) return { preferred_domain: offeredDomain(context, preferred_domain) };
  if (setting.timezone !== undefined) return { timezone: offeredTimezone(setting.timezone) };
  return Object.fromEntries(
    Object.entries(setting).map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  );
}

function offeredTimezone(name: string): string {
  const zone = timezoneNamed(name);
  if (zone !== undefined) return zone;
  throw new Failure('INVALID_INPUT', "'timezone' must be one of the offered time zones, such as Europe/Berlin.");
}

function offeredDomain(context: Context, host: string): string | null {
  const [standard, ...mirrors] = settingsOptionsOf(context).preferred_domain_options;
  if (host === standard) return null;
  if (mirrors.includes(host)) return host;
  throw new Failure('INVALID_INPUT', `'preferred_domain' must be one of ${[standard, ...mirrors].join(', ')}.`);
}

export function preferredOrigin(
  { config: { origins } }: Context,
  account: Pick<AccountRow, 'preferred_domain'>,
): string {
  return origins.files.find((origin) => hostOf(origin) === account.preferred_domain) ?? origins.files[0];
}

export function preferredDomain(context: Context, account: Pick<AccountRow, 'preferred_domain'>): string {
  return hostOf(preferredOrigin(context, account));
}

const hostOf = (origin: string) => new URL(origin).host;
