-- Until when the personal data of the class are kept. The last row counts; none is changed.
CREATE TABLE retention (
  id INTEGER PRIMARY KEY,
  -- NULL: nothing is stated.
  until INTEGER,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;
