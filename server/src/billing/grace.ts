import { days } from '../lib/clock.ts';

/** How long a plan stays after the first payment that failed. */
export const graceDays = 7;

export const graceEndsAt = (pastDueSince: number): number => pastDueSince + days(graceDays);
