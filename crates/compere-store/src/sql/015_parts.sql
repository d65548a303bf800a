-- Films that several workers make: who may help with which, and who has which part of it.
CREATE TABLE split (
    export TEXT PRIMARY KEY,
    fence BIGINT NOT NULL,
    -- Machines and programs with this name make the same bytes.
    alike TEXT NOT NULL,
    -- Whether all parts are there.
    whole BIGINT NOT NULL
);
CREATE INDEX split_alike ON split (alike);

CREATE TABLE part (
    export TEXT NOT NULL,
    scene BIGINT NOT NULL,
    -- The number of a piece, or -1 for the speech of a scene.
    piece BIGINT NOT NULL,
    holder TEXT,
    taken_at BIGINT,
    lease_until BIGINT,
    made BIGINT NOT NULL,
    PRIMARY KEY (export, scene, piece)
);
