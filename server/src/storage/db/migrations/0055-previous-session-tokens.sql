-- The token before the last renewal, for the calls that were under way.
ALTER TABLE sessions ADD COLUMN previous_token_hash text COLLATE "binary";
CREATE INDEX sessions_by_previous_token ON sessions (previous_token_hash) WHERE previous_token_hash IS NOT NULL;
