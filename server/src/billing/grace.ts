import { days } from '../lib/clock.ts';

/** Number of days that a plan is kept after the first failed payment. */
export const graceDays = 7;

export const graceEndsAt = (pastDueSince: number): number => pastDueSince + days(graceDays);
