DROP TABLE outages;
-- What an operator allowed for the next run: it is given to one run, on the command line.
ALTER TABLE jobs DROP COLUMN allowed;
