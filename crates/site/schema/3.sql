-- The ladder: who plays, in which blocks, and the games. Rows are only added, but for the state of a block.

-- What other teams and guests call a team. NULL: its number.
ALTER TABLE teams ADD COLUMN alias TEXT;

-- A version of a team's bot, or a reference of the event's file.
CREATE TABLE entrants (
  id INTEGER PRIMARY KEY,
  event INTEGER NOT NULL REFERENCES events(id),
  submission INTEGER REFERENCES submissions(id),
  reference TEXT,
  CHECK ((submission IS NULL) <> (reference IS NULL)),
  UNIQUE (event, submission),
  UNIQUE (event, reference)
) STRICT;

CREATE TABLE blocks (
  event INTEGER NOT NULL REFERENCES events(id),
  number INTEGER NOT NULL,
  -- The entrants in the order of the seats of the first game, as a JSON array.
  line_up TEXT NOT NULL,
  -- The entrant for which it was chosen, and why.
  entrant INTEGER NOT NULL REFERENCES entrants(id),
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'played', 'dropped')),
  at INTEGER NOT NULL,
  PRIMARY KEY (event, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_blocks ON blocks(event, number) WHERE state = 'open';

CREATE TABLE games (
  event INTEGER NOT NULL,
  block INTEGER NOT NULL,
  rotation INTEGER NOT NULL,
  -- The ID in logs and replays.
  id TEXT NOT NULL UNIQUE,
  attempts INTEGER NOT NULL,
  -- The game as statistics read it, as JSON; its seats are entrants.
  game TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (event, block, rotation),
  FOREIGN KEY (event, block) REFERENCES blocks(event, number)
) STRICT;

CREATE TABLE seats (
  game TEXT NOT NULL REFERENCES games(id),
  seat INTEGER NOT NULL,
  entrant INTEGER NOT NULL REFERENCES entrants(id),
  -- The number of its faults.
  faults INTEGER NOT NULL,
  PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_entrant ON seats(entrant);
