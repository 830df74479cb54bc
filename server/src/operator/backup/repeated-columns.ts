import type { AccountRow } from '../../engines/database/schema.ts';

/**
 * Whether a restore gives an account that has changed since the backup the value of the list instead of the one in the
 * backup. True for columns that decide who may use the account, what it may hold and what is deleted from it. Each new
 * column of the table needs a decision here, or this file does not compile.
 */
const isRepeated = {
  id: true,
  changed_at: true,
  // A password or key that was replaced must not open the account again.
  password_hash: true,
  password_version: true,
  key_hash: true,
  key_sealed: true,
  key_in_form: true,
  // `delete-unverified` deletes an account that is neither verified nor waiting for approval.
  verified_at: true,
  needs_approval: true,
  asked_at: true,
  // Its use is counted for the invitation, and given back if the account is never verified.
  invitation_id: true,
  // Null means that no sign-in of an unknown browser is announced by email.
  signed_in_at: true,
  // With smaller limits, Continuous Uploading deletes files at the next upload. The level follows from the granted level
  // and the subscription.
  granted_level: true,
  level: false,
  own_limits: true,
  continuous_uploading: true,
  inactivity_auto_delete_days: true,
  // Accounts closed since have lines of their own.
  closed_at: false,
  // Sums of the files.
  space_used: false,
  slots_used: false,
  // Days of disuse begin anew after a restore, and so do the warnings.
  last_active_at: false,
  first_warned_at: false,
  last_warned_at: false,
  warning_failed_at: false,
  // The address never changes, except for the case of its letters.
  email: false,
  email_key: false,
  created_at: false,
  // Settings that protect nothing.
  name: false,
  timezone_auto: false,
  timezone: false,
  return_file_extension: false,
  preferred_domain: false,
  preferred_filename_length: false,
} as const satisfies Record<keyof AccountRow, boolean>;

type Decisions = typeof isRepeated;
type RepeatedColumn = { [Column in keyof Decisions]: Decisions[Column] extends true ? Column : never }[keyof Decisions];

export const repeatedColumns = (Object.keys(isRepeated) as (keyof Decisions)[]).filter(
  (column): column is RepeatedColumn => isRepeated[column],
);

/** A list that an earlier version wrote lacks the columns that have become part of it since. */
export type RepeatedColumns = Readonly<
  Pick<AccountRow, 'id' | 'changed_at'> & Partial<Pick<AccountRow, RepeatedColumn>>
>;
