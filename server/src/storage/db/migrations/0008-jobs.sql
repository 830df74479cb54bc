-- One row for each job of maintenance: who runs it, and how it went.
CREATE TABLE jobs (
  name text COLLATE "binary" PRIMARY KEY,
  -- Whoever runs it now, and until when others leave it alone. 0 is nobody; a time that has passed is somebody who did
  -- not finish.
  holder text COLLATE "binary" NOT NULL DEFAULT '',
  leased_until bigint NOT NULL DEFAULT 0,
  last_started_at bigint NOT NULL DEFAULT 0,
  last_success_at bigint NOT NULL DEFAULT 0,
  last_error text,
  -- Since when a run has been stopped because it would delete too much; null is not.
  braked_at bigint,
  -- What the operator allows the next run to delete at most, brake or not; null is nothing said.
  allowed bigint,
  -- How many runs failed, how many milliseconds the last whole one took, and the sums of what all did, in JSON.
  failures bigint NOT NULL DEFAULT 0,
  last_took bigint NOT NULL DEFAULT 0,
  done text NOT NULL DEFAULT '{}'
);

-- What is out of date is found by these.
CREATE INDEX sessions_by_start ON sessions (created_at);
CREATE INDEX sessions_by_use ON sessions (last_seen_at);
