-- What a presenter is made of: footage, or one photo.
ALTER TABLE presenter ADD COLUMN kind TEXT NOT NULL DEFAULT 'footage';
