-- Why a file went: owner, continuous_uploading, inactivity, dormancy, account, malware or takedown. Null is from before.
ALTER TABLE files ADD COLUMN deleted_because text COLLATE "binary";

-- All files of the same bytes, for whatever must happen to all of them.
CREATE INDEX files_by_blob ON files (blob_id) WHERE deleted_at IS NULL;
CREATE INDEX files_withheld ON files (blob_id) WHERE deleted_because IN ('malware', 'takedown');

-- What a tombstone still tells of its file, until the purge blanks it.
CREATE INDEX files_to_blank ON files (deleted_at) WHERE deleted_at IS NOT NULL AND original_name <> '';
CREATE INDEX accounts_to_blank ON accounts (closed_at) WHERE closed_at IS NOT NULL AND email <> '';

-- What jobs look for.
CREATE INDEX accounts_unverified ON accounts (created_at) WHERE verified_at IS NULL AND closed_at IS NULL;
CREATE INDEX accounts_by_activity ON accounts (last_active_at) WHERE closed_at IS NULL;
CREATE INDEX accounts_with_auto_delete ON accounts (id) WHERE inactivity_auto_delete_days > 0 AND closed_at IS NULL;

-- When the two letters before a dormant account loses its files went out; older than the last activity means never.
ALTER TABLE accounts ADD COLUMN first_warned_at bigint NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN last_warned_at bigint NOT NULL DEFAULT 0;

-- Bytes that stay although no live file uses them: null, malware or takedown.
ALTER TABLE blobs ADD COLUMN held_for text COLLATE "binary";
ALTER TABLE blobs ADD COLUMN held_at bigint;

-- Bytes that nobody may upload again.
CREATE TABLE blocked_digests (
  sha256 text COLLATE "binary" PRIMARY KEY,
  -- malware or takedown
  reason text COLLATE "binary" NOT NULL,
  -- The signature that was found, or the reference of the case.
  reference text NOT NULL,
  blocked_at bigint NOT NULL
);

-- What happened to files without their owner, for the owner to read. Kept for a year.
CREATE TABLE activity (
  id text COLLATE "binary" PRIMARY KEY,
  account_id text COLLATE "binary" NOT NULL REFERENCES accounts (id),
  -- continuous_uploading, inactivity, dormancy, malware, takedown or restored
  event text COLLATE "binary" NOT NULL,
  name text COLLATE "binary" NOT NULL,
  original_name text NOT NULL,
  size bigint NOT NULL,
  happened_at bigint NOT NULL
);

CREATE INDEX activity_by_account ON activity (account_id, id);
CREATE INDEX activity_by_time ON activity (happened_at);

-- Also the order in which Continuous Uploading deletes, and how much room favorites hold, without reading rows. SQLite
-- reads the row for a column that its WHERE has and the index has not, although it is always null here.
DROP INDEX files_by_favorite;
CREATE INDEX files_by_favorite ON files (account_id, is_favorite, id, size, deleted_at) WHERE deleted_at IS NULL;
