-- A restore brings the state of a backup, so nothing is noted any more for one that repeats what came after it.
DROP INDEX files_by_favorite_time;
ALTER TABLE files DROP COLUMN favorite_since;
DROP INDEX accounts_by_change;
ALTER TABLE accounts DROP COLUMN changed_at;
DROP TABLE discarded_digests;
-- A backup passes over bytes that are purged while it runs.
DROP TABLE backup_holds;
-- Several commands may work on a move: the one transaction that copies the rows and its last step decide.
ALTER TABLE moves DROP COLUMN holder;
ALTER TABLE moves DROP COLUMN held_until;
