-- SHA-256 of the account's id and the `Idempotency-Key` that stored the file; null without one.
ALTER TABLE files ADD COLUMN upload_key text COLLATE "binary";
CREATE UNIQUE INDEX files_by_upload_key ON files (upload_key) WHERE upload_key IS NOT NULL;
UPDATE files SET upload_key = upload_keys.key FROM upload_keys WHERE upload_keys.file_id = files.id;
DROP TABLE upload_keys;
