-- The course itself, and its competitions: each has a file with its conditions and the event that is in force.

CREATE TABLE course (
  -- There is one row.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Part of the names of its cookies, so that courses on one host do not share them.
  token TEXT NOT NULL,
  -- NULL: none was chosen yet.
  name TEXT
) STRICT;
INSERT INTO course(id, token) VALUES (1, lower(hex(randomblob(6))));

CREATE TABLE competitions (
  id INTEGER PRIMARY KEY,
  -- Its name in addresses.
  slug TEXT NOT NULL UNIQUE,
  -- Empty: the name of its game.
  title TEXT NOT NULL DEFAULT '',
  -- Its place on the pages.
  position INTEGER NOT NULL,
  -- 'draft': it has a file and no event; 'open': it is played; 'closed': it is shown.
  state TEXT NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
  -- The file, below the directory of the class.
  file TEXT NOT NULL UNIQUE,
  -- The event of the ladder that is in force. NULL: the newest.
  event INTEGER REFERENCES events(id)
) STRICT;
INSERT INTO competitions(id, slug, position, state, file) VALUES (1, 'event', 1, 'open', 'event.toml');

-- The competition of each event, version and deadline.
ALTER TABLE events ADD COLUMN competition INTEGER NOT NULL DEFAULT 1;
ALTER TABLE submissions ADD COLUMN competition INTEGER NOT NULL DEFAULT 1;
ALTER TABLE deadlines ADD COLUMN competition INTEGER NOT NULL DEFAULT 1;

-- The version of each team that plays in a competition. It takes the place of `teams.active`.
CREATE TABLE active (
  team INTEGER NOT NULL REFERENCES teams(id),
  competition INTEGER NOT NULL REFERENCES competitions(id),
  submission INTEGER NOT NULL REFERENCES submissions(id),
  PRIMARY KEY (team, competition)
) STRICT, WITHOUT ROWID;
CREATE INDEX active_by_submission ON active(submission);
INSERT INTO active SELECT id, 1, active FROM teams WHERE active IS NOT NULL;
UPDATE teams SET active = NULL;

-- Steps of a final that were undone. The step stays in `steps`, as what happened.
CREATE TABLE undone_steps (
  event INTEGER NOT NULL REFERENCES events(id),
  step TEXT NOT NULL,
  -- When and why it had been taken, and by whom.
  taken_reason TEXT NOT NULL,
  taken_by INTEGER NOT NULL REFERENCES people(id),
  taken_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;
