-- Every export that fails does so with one number; why, the sentence says.
ALTER TABLE export DROP COLUMN error_code;
