-- Addresses of an account that are told of what happens in it.
CREATE TABLE endpoint (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  url TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Names of events, divided by spaces.
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  secret_old TEXT,
  secret_old_until BIGINT,
  enabled BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX endpoint_account ON endpoint (account, created_at);

-- To which of them a webhook goes. What goes to the address that an export names has none.
ALTER TABLE delivery ADD COLUMN endpoint TEXT;
CREATE INDEX delivery_endpoint ON delivery (endpoint, created_at);

-- Films of test keys are marked and cost nothing.
ALTER TABLE key_pair ADD COLUMN test BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export ADD COLUMN test BIGINT NOT NULL DEFAULT 0;
