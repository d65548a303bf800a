-- Fonts that accounts sent for their films: a row for each face.
CREATE TABLE font (
    -- Also names its object.
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    family TEXT NOT NULL,
    style TEXT NOT NULL,
    weight BIGINT NOT NULL,
    italic BIGINT NOT NULL,
    -- Of its file.
    hash TEXT NOT NULL,
    size BIGINT NOT NULL,
    -- What its sender confirmed.
    licence TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Nothing new is written with it from then on; its file goes when no film that was asked for before needs it.
    deleted_at BIGINT
);
CREATE INDEX font_account ON font (account, family);
