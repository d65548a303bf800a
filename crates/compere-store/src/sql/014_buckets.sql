-- Limits of requests that hold over all services of a farm: how many thousandths of a request are taken, fading since a moment.
CREATE TABLE bucket (
    name TEXT PRIMARY KEY,
    taken BIGINT NOT NULL,
    since BIGINT NOT NULL
);
