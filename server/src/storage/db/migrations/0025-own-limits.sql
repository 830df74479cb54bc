-- The limits that an operator gave this account instead of those of its plan: JSON, or empty if there are none.
ALTER TABLE accounts ADD COLUMN own_limits text NOT NULL DEFAULT '';
