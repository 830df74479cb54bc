/** Times formatted for people: how long ago, and the exact time in a time zone. */

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/**
 * Counts elapsed time, not calendar days: `1 day ago`, never `yesterday`, because 47 hours ago may be the day before.
 */
const relative = new Intl.RelativeTimeFormat('en');

/** `2 minutes ago`, `1 day ago`; `Never` for null, the access time of a file that was never accessed. */
export function timeAgo(moment: string | null, now: number): string {
  if (moment === null) return 'Never';
  const seconds = (now - Date.parse(moment)) / 1000;
  // The server's clock may be slightly ahead of this one; such a time counts as now, not as the future.
  if (seconds < 60) return 'just now';
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? steps[steps.length - 1] ?? ['minute', 60];
  return relative.format(-Math.floor(seconds / length), unit);
}

/** `18 Nov 2026, 14:02:09 GMT+1`, in the given IANA time zone. */
export const exactTime = (moment: string, timeZone: string): string =>
  dateFormat('medium', 'long', timeZone).format(new Date(moment));

/** `18 November 2026`, in the given IANA time zone. */
export const calendarDay = (moment: string, timeZone: string): string =>
  dateFormat('long', undefined, timeZone).format(new Date(moment));

/** The last day that is over at this moment: `17 November 2026` for the midnight after it. */
export function lastDayBefore(moment: string, timeZone: string): string {
  const midnight = Date.parse(`${calendarDay(moment, timeZone)} UTC`);
  return calendarDay(new Date(midnight - 1).toISOString(), 'UTC');
}

type Style = Intl.DateTimeFormatOptions['dateStyle'];

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Cached, because creating a format is slow and a table needs hundreds. A zone unknown to this browser falls back to
 * UTC.
 */
function dateFormat(dateStyle: Style, timeStyle: Style, timeZone: string): Intl.DateTimeFormat {
  const key = `${dateStyle} ${timeStyle} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = makeFormat({ dateStyle, timeStyle }, timeZone);
  formats.set(key, made);
  return made;
}

function makeFormat(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  }
}

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
