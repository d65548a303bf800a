-- What becomes of what is behind a filmed person. It stayed, of those who were there before.
ALTER TABLE presenter ADD COLUMN background TEXT NOT NULL DEFAULT 'keep';
