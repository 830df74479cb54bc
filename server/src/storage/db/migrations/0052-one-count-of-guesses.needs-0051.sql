ALTER TABLE email_codes DROP COLUMN guesses_elsewhere;
