import type { GuessedTimezone } from '@holdfast/contract/src/account.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';

/** Outdated zone names that the runtime lists, mapped to the names that people look for. */
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

/** The available zones. UTC is the default, but the runtime's list does not include it. */
export const timezones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(currentName)])].toSorted();

/** Maps an outdated zone name to its name in the list. */
export function currentName(zone: string): string {
  return renamed[zone] ?? zone;
}

/**
 * Sets the browser's time zone on an account with automatic time zone.
 * @throws {Failure} AUTH_REQUIRED when the account was closed meanwhile.
 */
export async function setTimezone(
  { db, clock }: Context,
  accountId: string,
  guess: GuessedTimezone,
): Promise<{ timezone_updated: boolean; timezone: string }> {
  const detected = timezoneOf(guess, clock.now());
  const changed = await db
    .updateTable('accounts')
    .set({ timezone: detected })
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .where('timezone_auto', '=', 1)
    .where('timezone', '<>', detected)
    .returning('timezone')
    .executeTakeFirst();
  if (changed) return { timezone_updated: true, timezone: changed.timezone };
  const kept = await db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (!kept) throw new Failure('AUTH_REQUIRED');
  return { timezone_updated: false, timezone: kept.timezone };
}

/** Returns the named zone, else one with the same current time, else UTC. */
function timezoneOf(guess: GuessedTimezone, now: number): string {
  const named = timezoneNamed(guess.guessed_timezone);
  if (named !== undefined) return named;
  // `getTimezoneOffset` is positive west of UTC.
  const east = -guess.timezone_offset_minutes;
  const fits = (zone: string) => {
    const [offset, isDst] = timeIn(zone, now);
    return offset === east && isDst === (guess.is_dst === 1);
  };
  return timezoneNamed(wellKnown.find(fits) ?? 'UTC') ?? 'UTC';
}

/** Returns the listed zone for a name. Many zones have several names, such as Asia/Calcutta for Asia/Kolkata. */
export function timezoneNamed(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timezones.find((zone) => zone === currentName(timeZone));
  } catch {
    return undefined;
  }
}

/** Returns the minutes east of UTC, and whether daylight saving time is in effect. */
function timeIn(zone: string, now: number): [offset: number, isDst: boolean] {
  const year = new Date(now).getUTCFullYear();
  const [offset, january, july] = [now, Date.UTC(year, 0, 1), Date.UTC(year, 6, 1)].map((at) => offsetAt(zone, at));
  return [offset ?? 0, (offset ?? 0) > Math.min(january ?? 0, july ?? 0)];
}

function offsetAt(zone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/**
 * Zones for every offset in use, the more likely one first: in winter, zones with and without daylight saving time
 * cannot be told apart.
 */
const wellKnown = `
  UTC Pacific/Pago_Pago Pacific/Honolulu America/Adak Pacific/Marquesas America/Anchorage Pacific/Gambier
  America/Los_Angeles Pacific/Pitcairn America/Denver America/Phoenix America/Chicago America/Mexico_City
  America/New_York America/Bogota America/Halifax America/Caracas America/Santiago America/St_Johns
  America/Sao_Paulo America/Miquelon America/Godthab America/Noronha Atlantic/Azores Atlantic/Cape_Verde
  Europe/London Africa/Abidjan Europe/Berlin Africa/Lagos Europe/Athens Africa/Johannesburg Africa/Cairo
  Europe/Moscow Asia/Tehran Asia/Dubai Asia/Kabul Asia/Karachi Asia/Calcutta Asia/Katmandu Asia/Dhaka Asia/Rangoon
  Asia/Bangkok Asia/Shanghai Australia/Eucla Asia/Tokyo Australia/Adelaide Australia/Darwin Australia/Sydney
  Australia/Brisbane Australia/Lord_Howe Pacific/Guadalcanal Pacific/Auckland Pacific/Fiji Pacific/Chatham
  Pacific/Tongatapu Pacific/Kiritimati
`
  .trim()
  .split(/\s+/);
