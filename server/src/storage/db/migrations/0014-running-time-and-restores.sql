-- Facts about this service as a whole: its id, which its storage carries as well; when a process last said that it runs;
-- when a backup was last restored.
CREATE TABLE service_facts (
  name text COLLATE "binary" PRIMARY KEY,
  value text NOT NULL DEFAULT '',
  at bigint NOT NULL DEFAULT 0
);

-- Times in which no process ran. Rules that count days of disuse leave them out. A restore adds one from 0 to its moment.
CREATE TABLE outages (
  began_at bigint PRIMARY KEY,
  ended_at bigint NOT NULL
);

-- When a withheld file was given back: days of disuse begin anew. And since when a file is a favorite, 0 for none and for
-- those from before, so that a restore can make the newer ones favorites again.
ALTER TABLE files ADD COLUMN returned_at bigint NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN favorite_since bigint NOT NULL DEFAULT 0;
CREATE INDEX files_by_favorite_time ON files (favorite_since) WHERE favorite_since > 0 AND deleted_at IS NULL;

-- When the API key, the password, the verification or a setting that decides what may be deleted last changed, so that a
-- restore does not bring the earlier ones back.
ALTER TABLE accounts ADD COLUMN changed_at bigint NOT NULL DEFAULT 0;
CREATE INDEX accounts_by_change ON accounts (changed_at) WHERE changed_at > 0;

-- A closed account keeps its sums until its files are deleted in batches.
CREATE INDEX accounts_to_empty ON accounts (id) WHERE closed_at IS NOT NULL AND slots_used > 0;

-- The warning before a dormant account loses its files that this email is: 'first' or 'last'. The account is warned when
-- a mail server has taken it.
ALTER TABLE letters ADD COLUMN warns_account text COLLATE "binary";
ALTER TABLE letters ADD COLUMN warning text COLLATE "binary";
CREATE INDEX letters_of_warnings ON letters (warns_account) WHERE warns_account IS NOT NULL;
-- When a warning was given up last, because no mail server took it; 0 once one was taken.
ALTER TABLE accounts ADD COLUMN warning_failed_at bigint NOT NULL DEFAULT 0;
-- Until now these said when a warning was queued, and it may never have left.
UPDATE accounts SET first_warned_at = 0, last_warned_at = 0 WHERE first_warned_at > 0 OR last_warned_at > 0;

-- Since when the payment provider says that it does not know the customer; null while it does.
ALTER TABLE subscriptions ADD COLUMN unknown_since bigint;

-- Withheld bytes that an operator has removed from storage for ever: a restore must not bring them back.
CREATE TABLE discarded_digests (
  sha256 text COLLATE "binary" PRIMARY KEY,
  discarded_at bigint NOT NULL
);

-- Bytes that the rescan put in quarantine without being told to, and when: its limit is that of a week.
CREATE TABLE rescan_finds (
  sha256 text COLLATE "binary" PRIMARY KEY,
  found_at bigint NOT NULL
);
CREATE INDEX rescan_finds_by_time ON rescan_finds (found_at);
