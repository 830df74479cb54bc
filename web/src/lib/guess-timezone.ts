import type { GuessedTimezone } from '@holdfast/contract/src/account.ts';
import { browserTimeZone } from './time.ts';

/** The browser's time zone and what it can tell about it. */
export function guessTimezone(now: Date = new Date()): GuessedTimezone {
  return {
    guessed_timezone: browserTimeZone(),
    timezone_offset_minutes: now.getTimezoneOffset(),
    is_dst: isSummerTime(now) ? 1 : 0,
  };
}

/** Summer time is when the clock is ahead of the other half of the year; either January or July has standard time. */
function isSummerTime(now: Date): boolean {
  const offsets = [0, 6].map((month) => new Date(now.getFullYear(), month, 1).getTimezoneOffset());
  return now.getTimezoneOffset() < Math.max(...offsets);
}
