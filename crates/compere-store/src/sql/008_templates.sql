-- Projects that their account makes others of.
CREATE TABLE template (
  project TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX template_account ON template (account, created_at);
