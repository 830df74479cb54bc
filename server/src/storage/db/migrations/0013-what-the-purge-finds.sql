-- What the purge looks for: what is held is not passed over each time, and what has been held for long is found.
DROP INDEX blobs_unused;
CREATE INDEX blobs_to_purge ON blobs (unused_since) WHERE unused_since IS NOT NULL AND held_for IS NULL;
CREATE INDEX blobs_held ON blobs (held_at) WHERE held_for IS NOT NULL;

-- All that the purge asks of a tombstone. Of two indexes that serve equally well SQLite takes the younger one, which is
-- the one of all tombstones there ever were; the one that spares it the rows it takes for sure.
DROP INDEX files_to_blank;
CREATE INDEX files_to_blank ON files (deleted_at, id, deleted_because, blob_id, original_name)
  WHERE deleted_at IS NOT NULL AND original_name <> '';
