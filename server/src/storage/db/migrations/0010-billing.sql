-- The plan that the operator gave. The level of an account is the better one of this and what its subscription pays for.
ALTER TABLE accounts ADD COLUMN granted_level text NOT NULL DEFAULT 'free';
UPDATE accounts SET granted_level = level;

-- What the payment provider said last of an account's customer.
CREATE TABLE subscriptions (
  account_id text COLLATE "binary" PRIMARY KEY REFERENCES accounts (id),
  -- Null until the provider has made one.
  customer_id text COLLATE "binary" UNIQUE,
  subscription_id text COLLATE "binary",
  -- What is paid for; null is nothing.
  level text COLLATE "binary",
  period text COLLATE "binary",
  -- none, active, past_due or ended
  status text COLLATE "binary" NOT NULL DEFAULT 'none',
  past_due_since bigint,
  period_ends_at bigint,
  -- 1 when it ends with the period instead of being renewed.
  ends_with_period smallint NOT NULL DEFAULT 0,
  -- Readings of the provider's state are numbered as they begin; one that is overtaken by a later one is dropped.
  readings_begun bigint NOT NULL DEFAULT 0,
  reading_applied bigint NOT NULL DEFAULT 0,
  read_at bigint NOT NULL DEFAULT 0,
  -- Whoever opens a checkout for this account holds this, so that two tabs cannot open two.
  checkout_leased_until bigint NOT NULL DEFAULT 0,
  -- When somebody was last sent to pay; null once it is known what came of it.
  checkout_opened_at bigint,
  -- 1 once the days of grace after a failed payment are over and the plan is gone.
  grace_over smallint NOT NULL DEFAULT 0,
  -- Since when the account is deleted and the subscription has to end; null when nothing is to do.
  cancel_requested_at bigint,
  -- When that is tried next, and how often it has been tried.
  cancel_due_at bigint NOT NULL DEFAULT 0,
  cancel_attempts bigint NOT NULL DEFAULT 0
);

CREATE INDEX subscriptions_to_cancel ON subscriptions (cancel_due_at) WHERE cancel_requested_at IS NOT NULL;
CREATE INDEX subscriptions_past_due ON subscriptions (past_due_since)
  WHERE past_due_since IS NOT NULL AND grace_over = 0;
CREATE INDEX subscriptions_by_reading ON subscriptions (read_at) WHERE customer_id IS NOT NULL;

-- Events of the provider that had their effect.
CREATE TABLE payment_events (
  id text COLLATE "binary" PRIMARY KEY,
  type text NOT NULL,
  received_at bigint NOT NULL
);

CREATE INDEX payment_events_by_time ON payment_events (received_at);
