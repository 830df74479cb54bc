-- Which file an `Idempotency-Key` stored. The key is SHA-256 of the account's id and the header. The row is made in the
-- transaction that makes the file, and before it, so that one of two tries finds the key taken before it looks for room.
CREATE TABLE upload_keys (
  key text COLLATE "binary" PRIMARY KEY,
  file_id text COLLATE "binary" NOT NULL REFERENCES files (id) DEFERRABLE INITIALLY DEFERRED,
  stored_at bigint NOT NULL
);

CREATE INDEX upload_keys_by_time ON upload_keys (stored_at);
