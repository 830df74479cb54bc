-- What a person sees of a session: an id that lets nobody in, and which browser used it last from where.
ALTER TABLE sessions ADD COLUMN id text COLLATE "binary" NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN agent text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN address text NOT NULL DEFAULT '';

-- Sessions from before have one too: half of a hash leads to no token.
UPDATE sessions SET id = substr(token_hash, 1, 32);

CREATE UNIQUE INDEX sessions_by_id ON sessions (id);

-- Open requests to reset a password, one for each address. An address without an account gets a row as well, so that
-- asking for it costs the same; its key was sent to nobody.
CREATE TABLE reset_keys (
  -- SHA-256 of the address in lower case.
  address_hash text COLLATE "binary" PRIMARY KEY,
  -- Null is nobody. No reference: checking it would wait for the account's row while this one is held.
  account_id text COLLATE "binary",
  -- SHA-256 of the key.
  key_hash text COLLATE "binary" NOT NULL UNIQUE,
  expires_at bigint NOT NULL
);

CREATE INDEX reset_keys_by_account ON reset_keys (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX reset_keys_by_expiry ON reset_keys (expires_at);
