-- The queue of outgoing emails. Indexes are dropped and created again, because SQLite cannot rename one.
ALTER TABLE letters RENAME TO outgoing_emails;
DROP INDEX letters_by_due_time;
CREATE INDEX outgoing_emails_by_due_time ON outgoing_emails (due_at);
DROP INDEX letters_of_warnings;
CREATE INDEX outgoing_emails_of_warnings ON outgoing_emails (warns_account) WHERE warns_account IS NOT NULL;

-- Snapshots of subscriptions are numbered when they begin. One that a later one has overtaken is dropped.
ALTER TABLE subscriptions RENAME COLUMN readings_begun TO snapshots_begun;
ALTER TABLE subscriptions RENAME COLUMN reading_applied TO snapshot_applied;
DROP INDEX subscriptions_by_reading;
CREATE INDEX subscriptions_by_snapshot ON subscriptions (read_at) WHERE customer_id IS NOT NULL;

-- The time of the first run of the job that exceeded the deletion limit; null while runs stay below it.
ALTER TABLE jobs RENAME COLUMN braked_at TO deletion_limit_exceeded_at;
-- The sums of the emails that the job `dormancy` has queued, in JSON.
UPDATE jobs SET done = replace(replace(done, '"firstLetters":', '"firstWarnings":'), '"lastLetters":', '"lastWarnings":')
  WHERE name = 'dormancy';
