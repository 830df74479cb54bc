import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import type { BillingPeriod, PaidLevel, PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Generated, Selectable } from 'kysely';
import type { BlobId } from '../blobs/blobs.ts';

/** Booleans are 0 or 1 on both engines. */
export type Flag = 0 | 1;

export interface Schema {
  accounts: AccountTable;
  sessions: {
    token_hash: string;
    id: string;
    account_id: string;
    agent: string;
    address: string;
    created_at: number;
    last_seen_at: number;
    confirmed_at: Generated<number>;
    previous_token_hash: Generated<string | null>;
  };
  reset_keys: { address_hash: string; account_id: string | null; key_hash: string; expires_at: number };
  email_codes: {
    account_id: string;
    attempt: string;
    code_hash: string;
    guesses: number;
    sent_at: number;
    expires_at: number;
    day_started_at: number;
    sent_in_day: number;
  };
  outgoing_emails: OutgoingEmailTable;
  spent_challenges: { id: string; expires_at: number };
  counters: { key: string; full_at: number; counted_at: Generated<number> };
  blobs: BlobTable;
  blocked_digests: { sha256: string; reason: HoldReason; reference: string; blocked_at: number };
  files: FileTable;
  hit_days: { file_id: string; days: string };
  uploads: UploadTable;
  used_names: { name: string };
  activity: {
    id: string;
    account_id: string;
    event: ActivityEvent;
    name: string;
    original_name: string;
    size: number;
    files: Generated<number>;
    cause: Generated<string>;
    happened_at: number;
  };
  jobs: JobTable;
  subscriptions: SubscriptionTable;
  payment_events: { id: string; type: string; received_at: number };
  operator_actions: {
    id: string;
    at: number;
    operator: string;
    action: string;
    subject: string;
    reference: string | null;
    details: string;
    sudo_user: string | null;
  };
  takedown_cases: { reference: string; sha256: string; opened_at: number; closed_at: number | null };
  takedowns: {
    reference: string;
    sha256: string;
    account_id: string;
    taken_down_at: number;
    restored_at: Generated<number | null>;
  };
  service_facts: { name: string; value: Generated<string>; at: Generated<number> };
  rescan_finds: { sha256: string; found_at: number; told: Generated<Flag> };
  processes: { id: string; started_at: number; seen_at: number };
  invitations: InvitationTable;
  moves: MoveTable;
  migrations: { name: string; applied_at: number };
}

interface AccountTable {
  id: string;
  email: string;
  email_key: string;
  name: string;
  password_hash: string;
  level: PlanLevel;
  key_hash: string;
  key_sealed: string;
  space_used: Generated<number>;
  slots_used: Generated<number>;
  timezone_auto: Generated<Flag>;
  timezone: Generated<string>;
  return_file_extension: Generated<Flag>;
  continuous_uploading: Generated<Flag>;
  inactivity_auto_delete_days: Generated<number>;
  preferred_domain: Generated<string | null>;
  preferred_filename_length: Generated<number>;
  created_at: number;
  verified_at: number | null;
  last_active_at: number;
  closed_at: Generated<number | null>;
  first_warned_at: Generated<number>;
  last_warned_at: Generated<number>;
  warning_failed_at: Generated<number>;
  deletion_due_at: Generated<number>;
  granted_level: Generated<PlanLevel>;
  password_version: Generated<number>;
  signed_in_at: Generated<number | null>;
  invitation_id: Generated<string | null>;
  needs_approval: Generated<Flag>;
  asked_at: Generated<number | null>;
  own_limits: Generated<string>;
  key_in_form: Generated<Flag>;
  files_full_at: Generated<number>;
  key_used_at: Generated<number>;
}

interface InvitationTable {
  id: string;
  token_hash: string;
  for_owner: Flag;
  verifies: Flag;
  level: PlanLevel;
  uses: Generated<number>;
  most_uses: number;
  created_at: number;
  expires_at: number;
  revoked_at: Generated<number | null>;
}

export type RemovalReason = 'owner' | 'continuous_uploading' | 'inactivity' | 'dormancy' | 'account' | HoldReason;

/** The reason why bytes are kept although they must not be served. */
export type HoldReason = 'malware' | 'takedown';

export type ScanState = 'unscanned' | 'pending' | 'clean' | 'unscannable' | 'infected';

interface UploadTable {
  id: string;
  account_id: string;
  blob_id: BlobId;
  place: string;
  stored: number;
  size: number;
  is_reserved: Flag;
  original_name: string;
  sha256: string | null;
  file_name: Generated<string | null>;
  modified_at: Generated<number | null>;
  fingerprint: Generated<string | null>;
  created_at: number;
  changed_at: number;
}
export type UploadRow = Selectable<UploadTable>;

interface BlobTable {
  id: BlobId;
  sha256: string;
  size: number;
  used_by: number;
  unused_since: number | null;
  created_at: number;
  held_for: Generated<HoldReason | null>;
  held_at: Generated<number | null>;
  scan_state: Generated<ScanState>;
  scanned_at: Generated<number>;
  scan_tries: Generated<number>;
  sha1: Generated<string | null>;
}

interface JobTable {
  name: string;
  holder: Generated<string>;
  leased_until: Generated<number>;
  last_started_at: Generated<number>;
  last_success_at: Generated<number>;
  last_error: Generated<string | null>;
  deletion_limit_exceeded_at: Generated<number | null>;
  failures: Generated<number>;
  last_took: Generated<number>;
  done: Generated<string>;
}

interface SubscriptionTable {
  account_id: string;
  customer_id: Generated<string | null>;
  subscription_id: Generated<string | null>;
  level: Generated<PaidLevel | null>;
  period: Generated<BillingPeriod | null>;
  status: Generated<'none' | 'active' | 'past_due' | 'ended'>;
  grace_ends_at: Generated<number | null>;
  period_ends_at: Generated<number | null>;
  ends_with_period: Generated<Flag>;
  snapshots_begun: Generated<number>;
  snapshot_applied: Generated<number>;
  read_at: Generated<number>;
  checkout_leased_until: Generated<number>;
  checkout_opened_at: Generated<number | null>;
  grace_over: Generated<Flag>;
  cancel_requested_at: Generated<number | null>;
  cancel_due_at: Generated<number>;
  cancel_attempts: Generated<number>;
}

interface FileTable {
  id: string;
  account_id: string;
  name: string;
  original_name: string;
  search_text: string;
  extension: string;
  size: number;
  sha256: string;
  blob_id: BlobId;
  is_favorite: Generated<Flag>;
  hits: Generated<number>;
  last_accessed_at: Generated<number>;
  uploaded_at: number;
  deleted_at: Generated<number | null>;
  deleted_because: Generated<RemovalReason | null>;
  pending_scan: Generated<Flag>;
  returned_at: Generated<number>;
  upload_key: Generated<string | null>;
}

interface OutgoingEmailTable {
  id: string;
  recipient: string;
  sealed: string;
  created_at: number;
  expires_at: number | null;
  attempts: Generated<number>;
  due_at: number;
  warns_account: Generated<string | null>;
  warning: Generated<'first' | 'last' | null>;
}

interface MoveTable {
  direction: 'out' | 'in';
  stage: 'copying' | 'read-only' | 'finishing' | 'moved' | 'arrived';
  stage_since: number;
  service: string;
  database_to: Generated<string>;
  bytes_to: Generated<string>;
  still: Generated<string>;
}

export type AccountRow = Selectable<AccountTable>;
export type InvitationRow = Selectable<InvitationTable>;
export type BlobRow = Selectable<BlobTable>;
export type FileRow = Selectable<FileTable>;
export type SubscriptionRow = Selectable<SubscriptionTable>;
export type OutgoingEmailRow = Selectable<OutgoingEmailTable>;
export type MoveRow = Selectable<MoveTable>;
