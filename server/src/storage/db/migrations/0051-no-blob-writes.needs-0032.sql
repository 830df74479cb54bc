-- Unfinished writes to an object store are found by its own list of them.
DROP TABLE blob_writes;
