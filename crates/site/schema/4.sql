-- Deadlines of submissions, for all teams and for one. The last row of each counts; none is changed.
CREATE TABLE deadlines (
  id INTEGER PRIMARY KEY,
  -- NULL: all teams.
  team INTEGER REFERENCES teams(id),
  -- NULL: there is none.
  until INTEGER,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX deadlines_by_team ON deadlines(team, id);
