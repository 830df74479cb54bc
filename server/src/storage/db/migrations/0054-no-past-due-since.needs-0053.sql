DROP INDEX subscriptions_past_due;
ALTER TABLE subscriptions DROP COLUMN past_due_since;
