-- 1: an operator has to approve the account before it counts as verified. `asked_at`: when its owner entered the code, and
-- since when it waits for that.
ALTER TABLE accounts ADD COLUMN needs_approval bigint NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN asked_at bigint;
CREATE INDEX accounts_waiting ON accounts (asked_at) WHERE asked_at IS NOT NULL;
