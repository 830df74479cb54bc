-- When the last token was taken. A time in the future shows that the clock was set back, so the bucket means nothing.
-- Earlier rows do not show it.
DELETE FROM counters;
ALTER TABLE counters ADD COLUMN counted_at bigint NOT NULL DEFAULT 0;
