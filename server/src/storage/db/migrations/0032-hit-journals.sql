-- What has been counted of the hits that nodes for public links keep on their own disks until they reach the database. Each
-- process of such a node has a journal, whose batches it sends in their order.
CREATE TABLE hit_journals (
  id text COLLATE "binary" NOT NULL PRIMARY KEY,
  -- The last batch that was counted, from 1; 0 for none.
  last_batch bigint NOT NULL,
  -- A JSON list of the files whose hits in that batch are not counted yet, because another transaction held their rows;
  -- empty for none.
  uncounted text NOT NULL,
  seen_at bigint NOT NULL
);
