-- The file of the library that a take was begun from. The take is a copy; whoever withdraws wants both gone.
ALTER TABLE take ADD COLUMN asset TEXT;
