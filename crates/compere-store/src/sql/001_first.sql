-- One text for SQLite and PostgreSQL: TEXT, BIGINT and DOUBLE PRECISION only. Times are milliseconds since 1970,
-- documents are JSON in TEXT, flags are 0 and 1.

CREATE TABLE account (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password TEXT,
  role TEXT NOT NULL,
  plan TEXT NOT NULL,
  suspended_at BIGINT,
  presenter TEXT,
  outfit TEXT,
  invite_hash TEXT,
  invite_until BIGINT,
  hook_secret TEXT NOT NULL,
  hook_secret_old TEXT,
  hook_secret_old_until BIGINT,
  served_at BIGINT NOT NULL,
  renewed_month BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX workspace_account ON workspace (account);

CREATE TABLE key_pair (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  workspace TEXT,
  name TEXT NOT NULL,
  app_id TEXT NOT NULL,
  user_key_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX key_pair_account ON key_pair (account);

CREATE TABLE token (
  hash TEXT PRIMARY KEY,
  key_pair TEXT NOT NULL,
  account TEXT NOT NULL,
  workspace TEXT,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX token_key_pair ON token (key_pair);
CREATE INDEX token_expires ON token (expires_at);

CREATE TABLE session (
  hash TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  csrf TEXT NOT NULL,
  agent TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX session_account ON session (account);

CREATE TABLE project (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  workspace TEXT,
  name TEXT NOT NULL,
  -- The name in lower case of all scripts, which SQLite's LOWER does not know.
  folded TEXT NOT NULL,
  orientation TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  request TEXT,
  revision BIGINT NOT NULL,
  scene_count BIGINT NOT NULL,
  callback_id TEXT,
  export TEXT,
  importing TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX project_account ON project (account, updated_at);
CREATE INDEX project_export ON project (export);

CREATE TABLE revision (
  project TEXT NOT NULL,
  revision BIGINT NOT NULL,
  body TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (project, revision)
);

CREATE TABLE export (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  step TEXT NOT NULL,
  progress DOUBLE PRECISION NOT NULL,
  resolution TEXT NOT NULL,
  format TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  priority BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  strikes BIGINT NOT NULL,
  worker TEXT,
  lease_until BIGINT,
  not_before BIGINT NOT NULL,
  cancel_asked BIGINT NOT NULL,
  webhook TEXT,
  webhook_method TEXT NOT NULL,
  callback_id TEXT,
  reserved BIGINT NOT NULL,
  credits BIGINT,
  error_code BIGINT,
  error TEXT,
  warnings TEXT NOT NULL,
  duration DOUBLE PRECISION,
  size BIGINT,
  made TEXT,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  finished_at BIGINT,
  swept_at BIGINT
);
CREATE INDEX export_queue ON export (state, not_before);
CREATE INDEX export_project ON export (project, created_at);
CREATE INDEX export_account ON export (account, state);

-- What happened to an account's credits, never changed and never deleted: the balance is the sum.
CREATE TABLE ledger (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  export TEXT,
  kind TEXT NOT NULL,
  amount BIGINT NOT NULL,
  note TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX ledger_account ON ledger (account, created_at);
-- An export reserves once, and settles or releases once.
CREATE UNIQUE INDEX ledger_once ON ledger (export, kind);

CREATE TABLE delivery (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  export TEXT NOT NULL,
  event TEXT NOT NULL,
  url TEXT NOT NULL,
  method TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  tries BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  lease_until BIGINT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX delivery_due ON delivery (state, next_at);
CREATE INDEX delivery_export ON delivery (export);

CREATE TABLE delivery_try (
  delivery TEXT NOT NULL,
  number BIGINT NOT NULL,
  at BIGINT NOT NULL,
  millis BIGINT NOT NULL,
  method TEXT NOT NULL,
  status BIGINT,
  error TEXT,
  PRIMARY KEY (delivery, number)
);

CREATE TABLE asset (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX asset_account ON asset (account, created_at);

CREATE TABLE idempotency (
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status BIGINT,
  answer TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account, key)
);

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
