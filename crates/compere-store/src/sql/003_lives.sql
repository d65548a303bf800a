-- What the next step of an export depends on outlives the service.
ALTER TABLE export ADD COLUMN hiccups BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export ADD COLUMN bug TEXT;

-- Which projects of an account show which imported pictures. A deck's own project is among them; what nobody shows any
-- more may go. It can be told from the projects themselves, so it is filled by the program and left out of backups.
CREATE TABLE media_use (
  media TEXT NOT NULL,
  account TEXT NOT NULL,
  project TEXT NOT NULL,
  PRIMARY KEY (media, project)
);
CREATE INDEX media_use_project ON media_use (project);
