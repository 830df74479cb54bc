-- Every action of an operator. Rows are added only: triggers refuse the rest.
CREATE TABLE operator_actions (
  id text COLLATE "binary" PRIMARY KEY,
  at bigint NOT NULL,
  -- Who, as the operating system calls them.
  operator text NOT NULL,
  -- The command, such as 'file take-down'.
  action text NOT NULL,
  subject text NOT NULL,
  -- The reference of the case, where there is one.
  reference text,
  -- JSON.
  details text NOT NULL
);

CREATE INDEX operator_actions_by_subject ON operator_actions (subject, id);

-- Which cases want which bytes to be gone. While one of them is open the bytes are nobody's to have.
CREATE TABLE takedown_cases (
  reference text NOT NULL,
  sha256 text COLLATE "binary" NOT NULL,
  opened_at bigint NOT NULL,
  -- When files came back that it took; null while it is open.
  closed_at bigint,
  PRIMARY KEY (reference, sha256)
);

CREATE INDEX takedown_cases_by_digest ON takedown_cases (sha256);

-- Which case took which bytes from which account. A row without restored_at counts against its account.
CREATE TABLE takedowns (
  reference text NOT NULL,
  sha256 text COLLATE "binary" NOT NULL,
  account_id text COLLATE "binary" NOT NULL REFERENCES accounts (id),
  taken_down_at bigint NOT NULL,
  restored_at bigint,
  PRIMARY KEY (reference, sha256, account_id)
);

CREATE INDEX takedowns_by_account ON takedowns (account_id);
CREATE INDEX takedowns_by_digest ON takedowns (sha256);
