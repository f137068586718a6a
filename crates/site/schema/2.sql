-- The event, submissions and their logs.

-- The conditions of the games, by version: a new one begins when the file changes.
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  -- The text of the file.
  text TEXT NOT NULL,
  -- The source of all draws, as JSON: the secret.
  draws TEXT NOT NULL,
  -- The hash of the secret, which is published at once. NULL: the file has a seed.
  commitment TEXT,
  began_at INTEGER NOT NULL
) STRICT;

CREATE TABLE submissions (
  id INTEGER PRIMARY KEY,
  team INTEGER NOT NULL REFERENCES teams(id),
  -- The version of the team's bot, from 1.
  version INTEGER NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL,
  -- The name of the uploaded file. Untrusted.
  file TEXT NOT NULL,
  -- The digest of the sources, which is the name of their copy.
  source TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'working', 'superseded', 'rejected', 'accepted')),
  -- How often the work was begun: a submission that ends the process is given up after some.
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Why it was rejected, for the team.
  reason TEXT NOT NULL DEFAULT '',
  -- The event under whose conditions it was admitted.
  event INTEGER REFERENCES events(id),
  -- The built bot, as JSON.
  bundle TEXT,
  -- What it declared in its `hello`.
  declared TEXT NOT NULL DEFAULT '',
  ended_at INTEGER,
  UNIQUE (team, version)
) STRICT;

CREATE INDEX submissions_by_state ON submissions(state);

-- The version that plays.
ALTER TABLE teams ADD COLUMN active INTEGER REFERENCES submissions(id);

CREATE TABLE log (
  submission INTEGER NOT NULL REFERENCES submissions(id),
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (submission, number)
) STRICT, WITHOUT ROWID;
