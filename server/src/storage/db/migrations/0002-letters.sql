-- Letters on their way: a row is made with what the letter is about, and goes away when the letter is handed over.
CREATE TABLE letters (
  -- Also names the letter to whoever receives it, in its Message-ID.
  id text COLLATE "binary" PRIMARY KEY,
  recipient text NOT NULL,
  -- Subject, bodies and secret, sealed: a code or link that waits here opens nothing for who reads the database.
  sealed text NOT NULL,
  created_at bigint NOT NULL,
  -- From when on it is of no use; null is never.
  expires_at bigint,
  attempts bigint NOT NULL DEFAULT 0,
  -- When it is tried next. Whoever takes it moves this on, so that no other process takes it too.
  due_at bigint NOT NULL
);

CREATE INDEX letters_by_due_time ON letters (due_at);
