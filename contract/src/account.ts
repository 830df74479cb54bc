import * as z from 'zod/mini';
import { autoDeleteDays, filenameLength } from './limits.ts';

const unknownSetting = (issue: { code?: string; keys?: readonly string[] }) =>
  issue.code === 'unrecognized_keys' ? `There is no setting '${issue.keys?.[0] ?? ''}'.` : undefined;

const wholeNumber = z.int().check(z.nonnegative());

export const accountUsage = z.object({
  space_used: wholeNumber,
  slots_used: wholeNumber,
});
export type AccountUsage = z.infer<typeof accountUsage>;

export const accountLimits = z.object({
  /** Bytes; 9007199254740991 means unlimited, here and in the two quotas. */
  max_file_size: wholeNumber,
  space_quota: wholeNumber,
  slots_quota: wholeNumber,
  /** Megabits per second; 1000 means unlimited. */
  max_file_download_speed: wholeNumber,
});
export type AccountLimits = z.infer<typeof accountLimits>;

export const accountInfo = z.object({
  level: z.string(),
  name: z.string(),
  email: z.string(),
  time_created: z.iso.datetime(),
  api_key: z.string(),
});
export type AccountInfo = z.infer<typeof accountInfo>;

export const account = z.object({
  info: accountInfo,
  limits: accountLimits,
  usage: accountUsage,
  key_in_form: z.optional(z.boolean()),
  key_last_used: z.optional(z.nullable(z.iso.datetime())),
  id: z.optional(z.string()),
  first_steps: z.optional(z.literal(true)),
});
export type Account = z.infer<typeof account>;

const switchNamed = (name: string) => z.boolean(`'${name}' must be true or false.`);

const numberNamed = (name: string, { min, max }: { min: number; max: number }) => {
  const error = `'${name}' must be a whole number from ${min} to ${max}.`;
  return z.int(error).check(z.minimum(min, error), z.maximum(max, error));
};

export const accountSettings = z.object({
  timezone_auto: switchNamed('timezone_auto'),
  timezone: z.string("'timezone' must be the name of a time zone."),
  return_file_extension: switchNamed('return_file_extension'),
  continuous_uploading: switchNamed('continuous_uploading'),
  inactivity_auto_delete_days: numberNamed('inactivity_auto_delete_days', autoDeleteDays),
  /** A bare host, with its port where it is not the default. */
  preferred_domain: z.string("'preferred_domain' must be the name of a host."),
  preferred_filename_length: numberNamed('preferred_filename_length', filenameLength),
});
export type AccountSettings = z.infer<typeof accountSettings>;

export const oneSetting = z
  .partial(z.strictObject(accountSettings.shape, { error: unknownSetting }))
  .check(z.refine((settings) => Object.keys(settings).length === 1, 'Send exactly one setting.'));
export type OneSetting = z.infer<typeof oneSetting>;

export const guessedTimezone = z.object({
  /** An IANA name, or whatever an old browser returns instead. */
  guessed_timezone: z.string().check(z.maxLength(100)),
  /** Minutes west of UTC, as returned by `getTimezoneOffset`. */
  timezone_offset_minutes: z.int().check(z.minimum(-24 * 60), z.maximum(24 * 60)),
  is_dst: z.union([z.literal(0), z.literal(1)]),
});
export type GuessedTimezone = z.infer<typeof guessedTimezone>;

export const signedInSession = z.object({
  /** Identifies the session; it is not a credential. */
  id: z.string(),
  device: z.string(),
  address: z.string(),
  time_created: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  is_current: z.boolean(),
});
export type SignedInSession = z.infer<typeof signedInSession>;

const range = z.object({ min: z.int(), max: z.int() });

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

export const subscription = z.object({
  /** The plan's display name; null if the price paid belongs to no plan here. */
  level: z.nullable(z.string()),
  period: z.nullable(z.enum(['monthly', 'yearly'])),
  /** `past_due`: a payment failed. The plan is kept until `grace_ends`; if none is known, the plan is gone. */
  status: z.enum(['active', 'past_due']),
  /** End of the paid period: the subscription then renews, or ends if `ends_with_period` is true. */
  period_ends: z.iso.datetime(),
  ends_with_period: z.boolean(),
  grace_ends: z.nullable(z.iso.datetime()),
});
export type Subscription = z.infer<typeof subscription>;
