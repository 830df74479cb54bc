-- What the client made of the file's first bytes: a file may change without another size or time.
ALTER TABLE uploads ADD COLUMN fingerprint text;
