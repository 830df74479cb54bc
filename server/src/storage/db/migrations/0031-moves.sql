-- A move of this database, or of the bytes of its files, to another place: see `holdfast move`. There is a row from the
-- start of a move until a server runs in the new place; that of a database that was left stays in it.
CREATE TABLE moves (
  -- 'out' in the database that is moved from here, or whose bytes are; 'in' in the database that is moved to.
  direction text COLLATE "binary" PRIMARY KEY,
  -- Of 'out': copying, read-only, finishing or moved. Of 'in': copying or arrived.
  stage text COLLATE "binary" NOT NULL,
  stage_since bigint NOT NULL,
  -- The id of the service that is moved.
  service text NOT NULL,
  -- Where the database and the bytes go, without passwords; empty if they stay.
  database_to text NOT NULL DEFAULT '',
  bytes_to text NOT NULL DEFAULT '',
  -- Names one time in which nothing changes: rows that were copied in another one are copied again.
  still text NOT NULL DEFAULT '',
  -- The command that works on it, and until when no other one may.
  holder text NOT NULL DEFAULT '',
  held_until bigint NOT NULL DEFAULT 0
);
