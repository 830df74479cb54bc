-- How many files an entry counts.
ALTER TABLE activity ADD COLUMN files bigint NOT NULL DEFAULT 1;

-- The names of files that were deleted a year ago and have no row any more. No link gets them again.
CREATE TABLE used_names (name text COLLATE "binary" PRIMARY KEY);

-- When the account may upload as many files at once as its plan allows in a day.
ALTER TABLE accounts ADD COLUMN files_full_at bigint NOT NULL DEFAULT 0;
