-- The SHA-1 of the bytes, once somebody has asked for it: null before that. Their SHA-256 was verified when it was computed.
ALTER TABLE blobs ADD COLUMN sha1 text COLLATE "binary";
