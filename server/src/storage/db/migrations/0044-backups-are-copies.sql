-- A program that has this file notes nothing for restores any more.
DELETE FROM backup_holds;
