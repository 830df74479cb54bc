/** What an account is to its owner: info, limits, usage and settings (spec section 3). */
import * as z from 'zod/mini';
import { autoDeleteDays, filenameLength } from './rules.ts';

const wholeNumber = z.int().check(z.nonnegative());

export const accountUsage = z.object({
  /** Bytes of all live files. */
  space_used: wholeNumber,
  /** How many live files there are. */
  slots_used: wholeNumber,
});
export type AccountUsage = z.infer<typeof accountUsage>;

export const accountLimits = z.object({
  /** Bytes. */
  max_file_size: wholeNumber,
  /** Bytes. */
  space_quota: wholeNumber,
  /** Files. */
  slots_quota: wholeNumber,
  /** Megabits per second; 1000 means unlimited. */
  max_file_download_speed: wholeNumber,
});
export type AccountLimits = z.infer<typeof accountLimits>;

export const accountInfo = z.object({
  /** The plan's name as people see it: Free, Starter, Basic, Advanced or Power. */
  level: z.enum(['Free', 'Starter', 'Basic', 'Advanced', 'Power']),
  name: z.string(),
  email: z.string(),
  time_created: z.iso.datetime(),
  api_key: z.string(),
});
export type AccountInfo = z.infer<typeof accountInfo>;

export const account = z.object({ info: accountInfo, limits: accountLimits, usage: accountUsage });
export type Account = z.infer<typeof account>;

export const accountSettings = z.object({
  timezone_auto: z.boolean(),
  /** An IANA time zone name. */
  timezone: z.string(),
  return_file_extension: z.boolean(),
  continuous_uploading: z.boolean(),
  inactivity_auto_delete_days: z.int().check(z.minimum(autoDeleteDays.min), z.maximum(autoDeleteDays.max)),
  /** A bare host, with its port where it is not the default. */
  preferred_domain: z.string(),
  preferred_filename_length: z.int().check(z.minimum(filenameLength.min), z.maximum(filenameLength.max)),
});
export type AccountSettings = z.infer<typeof accountSettings>;

const range = z.object({ min: z.int(), max: z.int() });

/** What each setting may be; for sessions only (spec section 6). */
export const settingsOptions = z.object({
  timezone_auto_options: z.array(z.boolean()),
  timezone_options: z.array(z.string()),
  return_file_extension_options: z.array(z.boolean()),
  continuous_uploading_options: z.array(z.boolean()),
  inactivity_auto_delete_days_options: range,
  preferred_domain_options: z.array(z.string()),
  preferred_filename_length_options: range,
});
export type SettingsOptions = z.infer<typeof settingsOptions>;
