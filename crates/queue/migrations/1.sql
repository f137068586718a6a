-- Version 1. The same statements for SQLite and PostgreSQL. Times are milliseconds since 1970 (UTC), by
-- the clock of the database. A released file never changes; a later version adds one.

CREATE TABLE tournaments(
    id TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL,
    -- open: its blocks are leased; held: none is leased at the moment.
    state TEXT NOT NULL,
    -- Blocks of a higher priority are leased first.
    priority BIGINT NOT NULL,
    -- Raised by each change of the definition.
    revision BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE definitions(
    tournament TEXT NOT NULL REFERENCES tournaments(id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (tournament, name)
);

-- Written as a whole with each definition. An extended definition keeps the bots of existing games at
-- their positions and adds others, so that the indices in games stay valid.
CREATE TABLE bots(
    tournament TEXT NOT NULL REFERENCES tournaments(id),
    position BIGINT NOT NULL,
    entrant TEXT NOT NULL,
    rejected TEXT,
    PRIMARY KEY (tournament, position)
);

CREATE TABLE blocks(
    tournament TEXT NOT NULL REFERENCES tournaments(id),
    generation BIGINT NOT NULL,
    block BIGINT NOT NULL,
    line_up TEXT NOT NULL,
    repeat BIGINT NOT NULL,
    -- Of a rejudge: the rotations to be played, as JSON; all of them if there is none.
    rotations TEXT,
    -- ready, leased, done, void (without a result after several attempts), dropped (not to be played)
    state TEXT NOT NULL,
    priority BIGINT NOT NULL,
    lease TEXT,
    expires_at BIGINT,
    -- How often it was completed with a void game.
    voids BIGINT NOT NULL,
    PRIMARY KEY (tournament, generation, block)
);

CREATE INDEX blocks_ready ON blocks(priority DESC, tournament, generation, block) WHERE state = 'ready';
CREATE INDEX blocks_leased ON blocks(expires_at) WHERE state = 'leased';

CREATE TABLE leases(
    token TEXT PRIMARY KEY,
    tournament TEXT NOT NULL,
    generation BIGINT NOT NULL,
    block BIGINT NOT NULL,
    worker TEXT NOT NULL,
    claimed_at BIGINT NOT NULL,
    ended_at BIGINT,
    -- completed, released, expired; none while it is held.
    outcome TEXT,
    games BIGINT NOT NULL,
    voids BIGINT NOT NULL
);

CREATE INDEX leases_held ON leases(worker) WHERE ended_at IS NULL;
CREATE INDEX leases_ended ON leases(ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE workers(
    name TEXT PRIMARY KEY,
    first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    about TEXT NOT NULL
);

-- What each worker said of itself, whenever it differed from before.
CREATE TABLE introductions(
    worker TEXT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    about TEXT NOT NULL,
    PRIMARY KEY (worker, number)
);

CREATE TABLE games(
    tournament TEXT NOT NULL REFERENCES tournaments(id),
    generation BIGINT NOT NULL,
    block BIGINT NOT NULL,
    rotation BIGINT NOT NULL,
    id BIGINT NOT NULL,
    seats TEXT NOT NULL,
    points TEXT,
    places TEXT,
    turns BIGINT NOT NULL,
    uses TEXT NOT NULL,
    faults TEXT,
    replay BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    worker TEXT NOT NULL,
    -- What the worker said of itself then: a number in `introductions`.
    introduction BIGINT,
    PRIMARY KEY (tournament, generation, block, rotation)
);

CREATE TABLE generations(
    tournament TEXT NOT NULL REFERENCES tournaments(id),
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (tournament, number)
);

CREATE TABLE audit(
    tournament TEXT NOT NULL REFERENCES tournaments(id),
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (tournament, number)
);

-- The content of files, by its SHA-256, in parts.
CREATE TABLE blobs(
    digest TEXT NOT NULL,
    part BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (digest, part)
);

CREATE TABLE contents(
    digest TEXT PRIMARY KEY,
    size BIGINT NOT NULL,
    added_at BIGINT NOT NULL
);

-- The files of a tournament: replays, standard error of bots, bundles.
CREATE TABLE files(
    tournament TEXT NOT NULL REFERENCES tournaments(id),
    name TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES contents(digest),
    PRIMARY KEY (tournament, name)
);
