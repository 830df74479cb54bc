import type { GuessedTimezone } from '@holdfast/contract/src/account.ts';
import { browserTimeZone } from './time.ts';

/** What this browser knows of its time zone (spec section 7, set-timezone). */
export function guessTimezone(now: Date = new Date()): GuessedTimezone {
  return {
    guessed_timezone: browserTimeZone(),
    timezone_offset_minutes: now.getTimezoneOffset(),
    is_dst: isSummerTime(now) ? 1 : 0,
  };
}

/** Clocks that are ahead of where they are in the other half of the year: of January and July one is standard time. */
function isSummerTime(now: Date): boolean {
  const offsets = [0, 6].map((month) => new Date(now.getFullYear(), month, 1).getTimezoneOffset());
  return now.getTimezoneOffset() < Math.max(...offsets);
}
