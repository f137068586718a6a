-- Grades that were frozen: the rules, the rows and the standings that they follow from.
CREATE TABLE grades (
  id INTEGER PRIMARY KEY,
  event INTEGER NOT NULL REFERENCES events(id),
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL,
  -- As JSON.
  rules TEXT NOT NULL,
  rows TEXT NOT NULL,
  standings TEXT NOT NULL
) STRICT;
