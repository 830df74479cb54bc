-- What processes that run at the same time have to know of each other, so that limits hold for all of them together. On
-- SQLite these tables are in a file of their own beside the database, which is never synced; see `engines/peers`. All of
-- it may be lost: processes write it again within a second.
CREATE TABLE IF NOT EXISTS live_processes (
  id text COLLATE "binary" PRIMARY KEY,
  -- Its machine and its number there.
  name text NOT NULL,
  region text NOT NULL,
  version text NOT NULL,
  started_at bigint NOT NULL,
  -- Renewed every second. Without that the process is considered dead, and its rows in the other tables mean nothing.
  seen_at bigint NOT NULL,
  -- 1: what it admits is in these tables. 0: it may still admit by its memory alone.
  shares bigint NOT NULL DEFAULT 0
);

-- What each process does for a key that several of them may serve, such as a client that downloads a file. A key is a
-- digest: an address of a client is not kept.
CREATE TABLE IF NOT EXISTS live_notes (
  key text COLLATE "binary" NOT NULL,
  process_id text COLLATE "binary" NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (key, process_id)
);
CREATE INDEX IF NOT EXISTS live_notes_by_process ON live_notes (process_id);

-- Work of which only so much may run at a time for one key, such as the uploads of an account: a row for each.
CREATE TABLE IF NOT EXISTS live_slots (
  key text COLLATE "binary" NOT NULL,
  slot bigint NOT NULL,
  process_id text COLLATE "binary" NOT NULL,
  PRIMARY KEY (key, slot)
);
CREATE INDEX IF NOT EXISTS live_slots_by_process ON live_slots (process_id);
