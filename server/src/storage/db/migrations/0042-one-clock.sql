-- Inactivity counts in plain time, and what is deleted by age pauses for a day after the clock has jumped.
DELETE FROM service_facts WHERE name = 'clock jump' OR name LIKE 'boot %';

-- Whether the owners have been told of what the rescan found.
ALTER TABLE rescan_finds ADD COLUMN told integer NOT NULL DEFAULT 1;
