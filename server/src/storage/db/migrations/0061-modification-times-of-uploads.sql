-- When the file was last changed on its owner's device, if the client says so: another time means another file.
ALTER TABLE uploads ADD COLUMN modified_at bigint;
