-- What the pictures and the document of an imported deck take, in bytes.
ALTER TABLE project ADD COLUMN media_bytes BIGINT NOT NULL DEFAULT 0;
