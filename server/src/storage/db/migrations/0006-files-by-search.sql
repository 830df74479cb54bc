-- All that a search looks through and sorts by, so that it reads rows only for the page that it answers. Although it is
-- always null here, SQLite reads the row for a column that its WHERE has and the index has not.
CREATE INDEX files_by_search ON files
  (account_id, id, search_text, uploaded_at, name, is_favorite, size, hits, last_accessed_at, extension, deleted_at)
  WHERE deleted_at IS NULL;
