-- The days on which a file was hit: a list in JSON of the last 366, oldest first, each with the hits before it. Written
-- once a day for each file that is hit, and deleted with the file's name.
CREATE TABLE hit_days (
  -- Not a foreign key, so that no write waits for the row of the file.
  file_id text COLLATE "binary" PRIMARY KEY,
  days text NOT NULL
);
