-- The user who called sudo, as sudo names them.
ALTER TABLE operator_actions ADD COLUMN sudo_user text;
-- Each entry has the hash of the one before it, which is empty for the first, and a hash over that and over itself.
ALTER TABLE operator_actions ADD COLUMN previous text NOT NULL DEFAULT '';
ALTER TABLE operator_actions ADD COLUMN hash text NOT NULL DEFAULT '';

CREATE INDEX operator_actions_by_hash ON operator_actions (hash);
CREATE INDEX operator_actions_by_previous ON operator_actions (previous);
