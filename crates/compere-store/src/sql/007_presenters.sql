-- Presenters of a person's own footage, which belong to an account. What was withdrawn leaves its row, without consent and
-- findings, so that the films made with it can be named.
CREATE TABLE presenter (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  gender TEXT NOT NULL,
  language TEXT NOT NULL,
  state TEXT NOT NULL,
  progress DOUBLE PRECISION NOT NULL,
  consent TEXT,
  findings TEXT,
  approved_by TEXT,
  seconds DOUBLE PRECISION NOT NULL,
  size BIGINT NOT NULL,
  strikes BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX presenter_account ON presenter (account, created_at);
CREATE INDEX presenter_state ON presenter (state);

CREATE TABLE take (
  presenter TEXT NOT NULL,
  name TEXT NOT NULL,
  said TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (presenter, name)
);

-- Which exports showed a presenter of footage, or let it speak.
CREATE TABLE presenter_use (
  presenter TEXT NOT NULL,
  export TEXT NOT NULL,
  PRIMARY KEY (presenter, export)
);
