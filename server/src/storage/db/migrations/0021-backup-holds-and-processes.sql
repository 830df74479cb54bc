-- Backups that copy bytes: while one of them is alive, the purge deletes no bytes. A backup renews its row, so that one
-- that was killed holds nothing for long.
CREATE TABLE backup_holds (
  id text COLLATE "binary" PRIMARY KEY,
  held_until bigint NOT NULL
);

-- Processes that have not ended in order: those that run, and those that were killed. What a killed one was storing at
-- its last minute has no row, so the sweep expects bytes without a row from then.
CREATE TABLE processes (
  id text COLLATE "binary" PRIMARY KEY,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL
);
CREATE INDEX processes_by_time ON processes (seen_at);
