-- One SQL for both engines: ids and times are made by us, times are milliseconds, booleans are 0 or 1.
-- COLLATE "binary" compares bytes. SQLite has it built in; on PostgreSQL it is made before the first migration.

CREATE TABLE accounts (
  id text COLLATE "binary" PRIMARY KEY,
  email text NOT NULL,
  -- The address in lower case: what makes an account unique.
  email_key text COLLATE "binary" NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  level text NOT NULL,
  -- SHA-256 of the API key for look-up, and the key sealed for showing it again.
  key_hash text COLLATE "binary" NOT NULL UNIQUE,
  key_sealed text NOT NULL,
  -- The sums of the live files, changed only in the transaction that adds or removes one.
  space_used bigint NOT NULL DEFAULT 0 CHECK (space_used >= 0),
  slots_used bigint NOT NULL DEFAULT 0 CHECK (slots_used >= 0),
  timezone_auto smallint NOT NULL DEFAULT 1,
  timezone text NOT NULL DEFAULT 'UTC',
  return_file_extension smallint NOT NULL DEFAULT 1,
  continuous_uploading smallint NOT NULL DEFAULT 0,
  inactivity_auto_delete_days bigint NOT NULL DEFAULT 0,
  -- Null follows the operator's default link domain.
  preferred_domain text,
  preferred_filename_length bigint NOT NULL DEFAULT 8,
  created_at bigint NOT NULL,
  verified_at bigint,
  -- Sign-in, key use or upload; written at most once an hour.
  last_active_at bigint NOT NULL,
  closed_at bigint
);

-- A closed account frees its address.
CREATE UNIQUE INDEX accounts_by_email ON accounts (email_key) WHERE closed_at IS NULL;

CREATE TABLE sessions (
  token_hash text COLLATE "binary" PRIMARY KEY,
  account_id text COLLATE "binary" NOT NULL REFERENCES accounts (id),
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL
);

CREATE INDEX sessions_by_account ON sessions (account_id);

-- The one code that may verify an account; it goes away when it is used.
CREATE TABLE email_codes (
  account_id text COLLATE "binary" PRIMARY KEY REFERENCES accounts (id),
  -- Changes with every sign-up, so that an earlier sign-up's browser cannot confirm a later one's password.
  attempt text COLLATE "binary" NOT NULL,
  code_hash text COLLATE "binary" NOT NULL,
  guesses bigint NOT NULL,
  sent_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- How many were sent since the start of the running day.
  day_started_at bigint NOT NULL,
  sent_in_day bigint NOT NULL
);

-- Solved challenges of the bot check: each counts once.
CREATE TABLE spent_challenges (
  id text COLLATE "binary" PRIMARY KEY,
  expires_at bigint NOT NULL
);

CREATE INDEX spent_challenges_by_expiry ON spent_challenges (expires_at);

-- Stored bytes. Files of equal bytes share one blob; the bytes leave storage when no file uses them any more.
CREATE TABLE blobs (
  id text COLLATE "binary" PRIMARY KEY,
  sha256 text COLLATE "binary" NOT NULL UNIQUE,
  size bigint NOT NULL,
  -- How many live files use it, and since when none does.
  used_by bigint NOT NULL CHECK (used_by >= 0),
  unused_since bigint,
  created_at bigint NOT NULL
);

CREATE INDEX blobs_unused ON blobs (unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE files (
  id text COLLATE "binary" PRIMARY KEY,
  account_id text COLLATE "binary" NOT NULL REFERENCES accounts (id),
  -- The public name. A deleted file keeps its row as a tombstone, so a name is never used again.
  name text COLLATE "binary" NOT NULL UNIQUE,
  original_name text NOT NULL,
  extension text COLLATE "binary" NOT NULL,
  size bigint NOT NULL,
  sha256 text COLLATE "binary" NOT NULL,
  -- Not a foreign key: a tombstone outlives its bytes.
  blob_id text COLLATE "binary" NOT NULL,
  is_favorite smallint NOT NULL DEFAULT 0,
  hits bigint NOT NULL DEFAULT 0,
  -- 0 means never: it sorts as oldest on both engines, which NULL does not.
  last_accessed_at bigint NOT NULL DEFAULT 0,
  uploaded_at bigint NOT NULL,
  deleted_at bigint
);

-- One index for each sort of the file list; equal keys are ordered by id.
CREATE INDEX files_by_upload_time ON files (account_id, uploaded_at, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_name ON files (account_id, name, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_favorite ON files (account_id, is_favorite, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_size ON files (account_id, size, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_hits ON files (account_id, hits, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_access_time ON files (account_id, last_accessed_at, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_extension ON files (account_id, extension, id) WHERE deleted_at IS NULL;
