-- Keys of another account at the payment provider are refused at the start.
ALTER TABLE subscriptions DROP COLUMN unknown_since;
