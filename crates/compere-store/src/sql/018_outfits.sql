-- A presenter filmed in other clothes: whom it shows.
ALTER TABLE presenter ADD COLUMN outfit_of TEXT;
