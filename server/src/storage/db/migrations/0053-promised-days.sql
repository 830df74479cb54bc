-- The end of the day that the warnings to an unused account name; 0 without any.
ALTER TABLE accounts ADD COLUMN deletion_due_at bigint NOT NULL DEFAULT 0;

-- Until then a plan whose payment failed is kept. The emails so far named the seventh day, in UTC.
ALTER TABLE subscriptions ADD COLUMN grace_ends_at bigint;
UPDATE subscriptions SET grace_ends_at = past_due_since + 734400000 WHERE past_due_since IS NOT NULL;
CREATE INDEX subscriptions_in_grace ON subscriptions (grace_ends_at)
  WHERE grace_ends_at IS NOT NULL AND grace_over = 0;
