-- Hosts of games, and rejudges: sets of games that are played again under another generation.

-- The host that played the game; empty: it was not recorded.
ALTER TABLE games ADD COLUMN host TEXT NOT NULL DEFAULT '';

CREATE TABLE rejudges (
  -- Also the generation of its games.
  id INTEGER PRIMARY KEY,
  -- The ladder's event, or that of its final.
  event INTEGER NOT NULL REFERENCES events(id),
  -- Which games, in words.
  choice TEXT NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'applied', 'dropped')),
  -- Why and by whom it was applied or dropped. NULL: it is open.
  decided_reason TEXT,
  decided_by INTEGER REFERENCES people(id),
  decided_at INTEGER
) STRICT;

CREATE UNIQUE INDEX open_rejudges ON rejudges(state) WHERE state = 'open';

-- The games of a rejudge: the result that it is about, and the new one. Once it is applied, the first is
-- kept here alone.
CREATE TABLE rejudged (
  rejudge INTEGER NOT NULL REFERENCES rejudges(id),
  block INTEGER NOT NULL,
  rotation INTEGER NOT NULL,
  old_id TEXT NOT NULL,
  old_game TEXT NOT NULL,
  -- NULL: it was not played again yet.
  new_id TEXT,
  new_game TEXT,
  attempts INTEGER,
  host TEXT,
  at INTEGER,
  PRIMARY KEY (rejudge, block, rotation)
) STRICT, WITHOUT ROWID;

CREATE INDEX rejudged_by_old_id ON rejudged(old_id);
CREATE INDEX rejudged_by_new_id ON rejudged(new_id);
