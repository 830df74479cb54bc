-- What was deleted since a moment, for the list that keeps a restored backup from bringing it back.
CREATE INDEX files_by_deletion ON files (deleted_at) WHERE deleted_at IS NOT NULL;
