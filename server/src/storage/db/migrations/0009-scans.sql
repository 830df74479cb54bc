-- What the scanner said: unscanned (there was none), pending, clean, unscannable or infected; and when, 0 is never.
ALTER TABLE blobs ADD COLUMN scan_state text COLLATE "binary" NOT NULL DEFAULT 'unscanned';
ALTER TABLE blobs ADD COLUMN scanned_at bigint NOT NULL DEFAULT 0;

-- How often the scanner answered others, and broke off at these bytes.
ALTER TABLE blobs ADD COLUMN scan_tries integer NOT NULL DEFAULT 0;

-- Of a removal that was interrupted.
CREATE INDEX blobs_to_remove ON blobs (held_for) WHERE held_for IS NOT NULL AND used_by > 0;

CREATE INDEX blobs_to_scan ON blobs (scanned_at) WHERE used_by > 0;

-- 1 while the bytes wait for their first verdict: the file is its owner's to see, and served to nobody.
ALTER TABLE files ADD COLUMN pending_scan smallint NOT NULL DEFAULT 0;

CREATE INDEX files_pending_scan ON files (blob_id) WHERE pending_scan = 1 AND deleted_at IS NULL;
