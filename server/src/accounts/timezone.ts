import type { GuessedTimezone } from '@holdfast/contract/src/account.ts';
import type { Context } from '../context.ts';
import { lastZone } from '../lib/calendar-days.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import type { Caller } from './identify.ts';
import { changeAs } from './lock-caller.ts';

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

/** @throws {Failure} AUTH_REQUIRED. */
export function setTimezone(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  guess: GuessedTimezone,
): Promise<{ timezone_updated: boolean; timezone: string }> {
  return changeAs(context, caller, async (tx) => {
    const { id } = caller.account;
    const { timezone, timezone_auto } = await tx
      .selectFrom('accounts')
      .select(['timezone', 'timezone_auto'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const detected = timezoneNamed(guess.guessed_timezone) ?? timezone;
    if (timezone_auto === 0 || detected === timezone) return { timezone_updated: false, timezone };
    await tx.updateTable('accounts').set({ timezone: detected }).where('id', '=', id).execute();
    return { timezone_updated: true, timezone: detected };
  });
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
