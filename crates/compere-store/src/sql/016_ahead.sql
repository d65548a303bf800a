-- Projects whose presenters are baked before a film is asked for: of every account the one that was saved last.
CREATE TABLE ahead (
    account TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    due_at BIGINT NOT NULL
);
