-- When the API key was last used; 0 if it never was.
ALTER TABLE accounts ADD COLUMN key_used_at bigint NOT NULL DEFAULT 0;
