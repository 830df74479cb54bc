/** Without validators, so that the web app can load it on every page. */

/** What happened to files without an action of their owner. */
export const activityEvents = [
  'continuous_uploading',
  'inactivity',
  'dormancy',
  'malware',
  'takedown',
  'restored',
] as const;

export const sortColumns = [
  'upload_time',
  'name',
  'favorite',
  'size',
  'hits',
  'access_time',
  'file_extension',
] as const;
export type SortColumn = (typeof sortColumns)[number];
export const sortDirections = ['asc', 'desc'] as const;
export type SortDirection = (typeof sortDirections)[number];

export const listLimit = { default: 200, max: 500 } as const;
export const mostDeletedAtOnce = 500;
/** The bytes of deleted files are kept as long, at least. */
export const restorableHours = 24;

/** Long enough for any name that is typed. The limit matters because every word is matched against every name. */
export const longestSearch = 64;
export const mostSearchWords = 10;

export const resendWaitSeconds = 120;

/**
 * Limits of the speed test for one IP address: one run every 3 minutes on average. Trying all plans one after the other
 * must work.
 */
export const speedTestLimits = { atOnce: 2, perHour: 20 } as const;

export const filenameLength = { min: 4, max: 32, default: 8 } as const;
export const autoDeleteDays = { min: 0, max: 90, default: 0 } as const;

export const deletionWord = 'delete';

export const subscriptionProblems = [
  'unknown-plan',
  'not-for-sale',
  'unavailable',
  'busy',
  'granted',
  'other-site',
  'other-account',
] as const;
export type SubscriptionProblem = (typeof subscriptionProblems)[number];

export type CheckoutOutcome = 'paid' | 'canceled';
