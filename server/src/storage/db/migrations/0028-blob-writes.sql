-- Writes to an object store that have begun: a row stays until a blob has its id, or nothing of the write is left. Such a
-- store may hold parts that are in no list of objects, and its list is too long to be read often.
CREATE TABLE blob_writes (
  id text COLLATE "binary" NOT NULL PRIMARY KEY,
  -- The process that writes renews it every minute.
  touched_at bigint NOT NULL
);
CREATE INDEX blob_writes_by_time ON blob_writes (touched_at);
