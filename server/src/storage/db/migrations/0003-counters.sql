-- Token buckets, for several processes on one database (see the counters port). Only PostgreSQL uses them.
CREATE TABLE counters (
  -- A digest of what is counted: an address of a client or a person is not kept.
  key text COLLATE "binary" PRIMARY KEY,
  -- When the bucket is full again. Not indexed: it changes with every take.
  full_at bigint NOT NULL
);
