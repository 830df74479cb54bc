import type { GuessedTimezone } from '@holdfast/contract/src/account.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { lastZone } from '../lib/calendar-days.ts';
import type { AccountRow } from '../storage/db/schema.ts';

/** The runtime lists outdated names. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The runtime's list does not include UTC. */
export const timezones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(currentName)])].toSorted();

export function currentName(zone: string): string {
  return renamed[zone] ?? zone;
}

/** Unknown until the owner opens the settings in a browser: then a day is over when it is over everywhere. */
export const zoneOf = ({ timezone, timezone_auto }: Pick<AccountRow, 'timezone' | 'timezone_auto'>): string =>
  timezone_auto === 1 && timezone === 'UTC' ? lastZone : timezone;

/** @throws {Failure} AUTH_REQUIRED when the account was closed meanwhile. */
export async function setTimezone(
  { db }: Context,
  accountId: string,
  guess: GuessedTimezone,
): Promise<{ timezone_updated: boolean; timezone: string }> {
  const account = await db
    .selectFrom('accounts')
    .select(['timezone', 'timezone_auto'])
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (!account) throw new Failure('AUTH_REQUIRED');
  const detected = timezoneNamed(guess.guessed_timezone) ?? account.timezone;
  if (account.timezone_auto === 0 || detected === account.timezone)
    return { timezone_updated: false, timezone: account.timezone };
  const changed = await db
    .updateTable('accounts')
    .set({ timezone: detected })
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .where('timezone_auto', '=', 1)
    .executeTakeFirst();
  const timezone_updated = changed.numUpdatedRows === 1n;
  return { timezone_updated, timezone: timezone_updated ? detected : account.timezone };
}

/** Many zones have several names. */
export function timezoneNamed(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timezones.find((zone) => zone === currentName(timeZone));
  } catch {
    return undefined;
  }
}
