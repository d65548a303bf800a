-- The person who is shown may take the presenter away without an account: the hash of the code that they were given, until it is
-- used. And of every one that is gone, who took it away and when; nothing where that was not written down yet.
ALTER TABLE presenter ADD COLUMN code TEXT;
ALTER TABLE presenter ADD COLUMN withdrawn_by TEXT;
ALTER TABLE presenter ADD COLUMN withdrawn_at BIGINT;
CREATE UNIQUE INDEX presenter_code ON presenter (code);
