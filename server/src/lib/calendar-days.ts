/** Days as people count them: from midnight to midnight in a time zone, also those of 23 and 25 hours. */
import { days, hours, minutes } from './clock.ts';

/** The zone in which each day ends last. */
export const lastZone = 'Etc/GMT+12';

/** The end of the day of `time`, or of a `later` one. */
export function endOfDay(time: number, zone: string, later = 0): number {
  const dateOf = datesIn(zone);
  const date = addDays(dateOf(time), later);
  // In the zone that is furthest ahead. Clocks are set at quarters of an hour.
  let end = Date.parse(date) + hours(10);
  while (dateOf(end) <= date) end += minutes(15);
  return end;
}

/** For what happened until then, the day `count` days later is over in every zone. */
export const daysAgo = (now: number, count: number): number => now - days(count + 1) - hours(1);

/** The last day that is over at `end`, such as `29 November 2027`. */
export const lastDayBefore = (end: number, zone: string): string =>
  dateText(Date.parse(addDays(datesIn(zone)(end), -1)));

const dateText = (time: number): string =>
  new Date(time).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Such as `27 November 2026, 15:25 CET`. */
export function momentText(time: number, zone: string): string {
  const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  try {
    return new Date(time).toLocaleString('en-GB', { ...dateParts, ...clock, timeZone: zone }).replace(' at ', ', ');
  } catch {
    return momentText(time, 'UTC');
  }
}

const dateParts = { day: 'numeric', month: 'long', year: 'numeric' } as const;

const addDays = (date: string, count: number): string =>
  new Date(Date.parse(date) + days(count)).toISOString().slice(0, 10);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats dates such as `2027-11-29`. */
function datesIn(zone: string): (time: number) => string {
  const format = formats.get(zone) ?? formatFor(zone);
  formats.set(zone, format);
  return (time) => format.format(time);
}

/** An earlier version of the runtime may have known more zones. */
function formatFor(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone });
  } catch {
    return formatFor(lastZone);
  }
}
