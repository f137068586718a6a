-- The course of an event: freezes of the board, finals, releases, decisions about versions, practice.

-- A final and the practice games of a ladder's event are events of their own, with their own secret.
ALTER TABLE events ADD COLUMN kind TEXT NOT NULL DEFAULT 'ladder'
  CHECK (kind IN ('ladder', 'final', 'practice'));
-- The ladder's event. NULL: it is one.
ALTER TABLE events ADD COLUMN of INTEGER REFERENCES events(id);

-- How many earlier blocks had the same line-up: which opening is next. NULL: one less than its number.
ALTER TABLE blocks ADD COLUMN repeat INTEGER;

-- What students see of the ladder. The last row of an event counts.
CREATE TABLE freezes (
  id INTEGER PRIMARY KEY,
  event INTEGER NOT NULL REFERENCES events(id),
  is_frozen INTEGER NOT NULL,
  -- The entrants that played at that moment, as a JSON array.
  entrants TEXT NOT NULL,
  -- The row of the last game at that moment.
  last_game INTEGER NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX freezes_by_event ON freezes(event, id);

-- The steps of a final.
CREATE TABLE steps (
  event INTEGER NOT NULL REFERENCES events(id),
  step TEXT NOT NULL CHECK (step IN ('discarded', 'standings', 'replays')),
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL,
  PRIMARY KEY (event, step)
) STRICT, WITHOUT ROWID;

-- Decisions of teachers about versions. None is changed.
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY,
  submission INTEGER NOT NULL REFERENCES submissions(id),
  decision TEXT NOT NULL CHECK (decision IN ('hold', 'withdraw', 'disqualify', 'lift')),
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX decisions_by_submission ON decisions(submission, id);

-- The decision that is in force. NULL: none.
ALTER TABLE submissions ADD COLUMN decision TEXT;

-- Whether other teams may practise against the version that plays.
ALTER TABLE teams ADD COLUMN practice INTEGER NOT NULL DEFAULT 0;

-- Practice games that teams asked for: blocks of the event of practice.
CREATE TABLE challenges (
  id INTEGER PRIMARY KEY,
  team INTEGER NOT NULL REFERENCES teams(id),
  person INTEGER NOT NULL REFERENCES people(id),
  event INTEGER NOT NULL,
  block INTEGER NOT NULL,
  at INTEGER NOT NULL,
  FOREIGN KEY (event, block) REFERENCES blocks(event, number)
) STRICT;

CREATE INDEX challenges_by_team ON challenges(team, id);
