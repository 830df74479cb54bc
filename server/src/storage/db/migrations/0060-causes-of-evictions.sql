-- The original name of the upload that evicted the files of an entry; empty if there were several, or there is none.
ALTER TABLE activity ADD COLUMN cause text NOT NULL DEFAULT '';
