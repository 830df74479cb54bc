-- 1: an upload may carry the account's key in the field `api_key` of its form, instead of a header.
ALTER TABLE accounts ADD COLUMN key_in_form bigint NOT NULL DEFAULT 0;
CREATE INDEX accounts_with_key_in_form ON accounts (key_in_form) WHERE key_in_form = 1 AND closed_at IS NULL;
