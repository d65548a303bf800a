-- In which language a presenter is given its lines and its consent. None of those that were begun when there were only English ones.
ALTER TABLE presenter ADD COLUMN prompts TEXT;
