-- Files that are kept for a while only, such as speech that somebody asked for and fetched.
ALTER TABLE asset ADD COLUMN expires_at BIGINT;
