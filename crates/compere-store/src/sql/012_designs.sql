-- What somebody designed, of presenters of their own choosing.
ALTER TABLE presenter ADD COLUMN design TEXT;
