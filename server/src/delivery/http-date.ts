/** Parses exactly the three date formats that RFC 9110 section 5.6.7 requires a recipient to accept. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const time = String.raw`(\d{2}):(\d{2}):(\d{2})`;
const preferred = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) (\\w{3}) (\\d{4}) ${time} GMT$`);
const rfc850 = new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d{2})-(\\w{3})-(\\d{2}) ${time} GMT$`);
const asctime = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\\w{3}) ([ \\d]\\d) ${time} (\\d{4})$`);

/** Returns milliseconds of whole seconds since 1970, or null if the text is not an HTTP date. */
export function parseHttpDate(text: string): number | null {
  const [, day, month, year, ...clock] = preferred.exec(text) ?? [];
  if (day !== undefined) return fromParts(year, month, day, clock);
  const [, day850, month850, shortYear, ...clock850] = rfc850.exec(text) ?? [];
  if (day850 !== undefined) return fromParts(fullYear(Number(shortYear)), month850, day850, clock850);
  const [, monthC, dayC, ...rest] = asctime.exec(text) ?? [];
  return monthC === undefined ? null : fromParts(rest[3], monthC, dayC, rest.slice(0, 3));
}

export function formatHttpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/** A two-digit year that would be more than 50 years in the future means the past one. */
function fullYear(short: number): number {
  const thisYear = new Date().getUTCFullYear();
  const year = thisYear - (thisYear % 100) + short;
  return year > thisYear + 50 ? year - 100 : year;
}

function fromParts(
  year: string | number | undefined,
  month: string | undefined,
  day: string | undefined,
  [hours, minutes, seconds]: readonly (string | undefined)[],
): number | null {
  const monthAt = months.indexOf(month ?? '');
  const ms = Date.UTC(Number(year), monthAt, Number(day), Number(hours), Number(minutes), Number(seconds));
  const date = new Date(ms);
  // Date.UTC carries overflow, so 31 February would become a day in March.
  const real = date.getUTCMonth() === monthAt && date.getUTCDate() === Number(day) && Number(hours) < 24;
  return monthAt !== -1 && real && Number(minutes) < 60 && Number(seconds) < 61 ? ms : null;
}
