import type { AccountSettings, SettingsOptions } from '@holdfast/contract/src/account.ts';
import { autoDeleteDays, filenameLength } from '@holdfast/contract/src/rules.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';

export function settingsOf(context: Context, account: AccountRow): AccountSettings {
  return {
    timezone_auto: account.timezone_auto === 1,
    timezone: account.timezone,
    return_file_extension: account.return_file_extension === 1,
    continuous_uploading: account.continuous_uploading === 1,
    inactivity_auto_delete_days: account.inactivity_auto_delete_days,
    preferred_domain: preferredDomain(context, account),
    preferred_filename_length: account.preferred_filename_length,
  };
}

export function settingsOptions({ origins }: Context): SettingsOptions {
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

/** The origin that this account's links are made for. One that the operator has taken away falls back to the default. */
export function preferredOrigin({ origins }: Context, account: Pick<AccountRow, 'preferred_domain'>): string {
  return origins.files.find((origin) => hostOf(origin) === account.preferred_domain) ?? origins.files[0];
}

export function preferredDomain(context: Context, account: Pick<AccountRow, 'preferred_domain'>): string {
  return hostOf(preferredOrigin(context, account));
}

const hostOf = (origin: string) => new URL(origin).host;

/** UTC is the default, and the runtime's list leaves it out. */
const timezones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
