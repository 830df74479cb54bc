-- What owners can still restore: files of the last day have their names.
CREATE INDEX files_recently_deleted ON files (account_id, deleted_at, id)
  WHERE deleted_at IS NOT NULL AND original_name <> '';
