/** The tables as TypeScript sees them; `migrations/` says what each column means. */
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Generated, Selectable } from 'kysely';

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
  letters: LetterTable;
  spent_challenges: { id: string; expires_at: number };
  counters: { key: string; full_at: number };
  blobs: { id: string; sha256: string; size: number; used_by: number; unused_since: number | null; created_at: number };
  files: FileTable;
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
  blob_id: string;
  is_favorite: Generated<Flag>;
  hits: Generated<number>;
  last_accessed_at: Generated<number>;
  uploaded_at: number;
  deleted_at: Generated<number | null>;
}

interface LetterTable {
  id: string;
  recipient: string;
  sealed: string;
  created_at: number;
  expires_at: number | null;
  attempts: Generated<number>;
  due_at: number;
}

export type AccountRow = Selectable<AccountTable>;
export type FileRow = Selectable<FileTable>;
export type LetterRow = Selectable<LetterTable>;
