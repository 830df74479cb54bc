-- How often the password was changed or reset. The cookie of a known browser is valid for one version.
ALTER TABLE accounts ADD COLUMN password_version bigint NOT NULL DEFAULT 0;

-- The last sign-in; null before the first one.
ALTER TABLE accounts ADD COLUMN signed_in_at bigint;
UPDATE accounts SET signed_in_at = last_active_at WHERE verified_at IS NOT NULL;

-- When the password was last given in the session.
ALTER TABLE sessions ADD COLUMN confirmed_at bigint NOT NULL DEFAULT 0;

-- Guesses by others than the browser that signed up, which are counted in `guesses`.
ALTER TABLE email_codes ADD COLUMN guesses_elsewhere bigint NOT NULL DEFAULT 0;
