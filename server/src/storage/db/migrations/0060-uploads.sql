-- Uploads whose bytes arrive in pieces. Once one is stored, it keeps the name of its file until it expires.
CREATE TABLE uploads (
  id text COLLATE "binary" PRIMARY KEY,
  account_id text COLLATE "binary" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  blob_id text COLLATE "binary" NOT NULL UNIQUE,
  -- Where the storage has the bytes.
  place text NOT NULL,
  -- Bytes that have arrived, and bytes in all.
  stored bigint NOT NULL,
  size bigint NOT NULL,
  -- Whether size and one slot count as used by the account.
  is_reserved smallint NOT NULL,
  original_name text NOT NULL,
  sha256 text,
  file_name text COLLATE "binary",
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL
);
CREATE INDEX uploads_by_account ON uploads (account_id);
CREATE INDEX uploads_by_change ON uploads (changed_at);
