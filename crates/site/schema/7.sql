-- The ratings of versions over time, whenever a part of their games was new.
CREATE TABLE ratings (
  entrant INTEGER NOT NULL REFERENCES entrants(id),
  -- The number of the point, from 1.
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  games INTEGER NOT NULL,
  rating REAL NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL,
  PRIMARY KEY (entrant, number)
) STRICT, WITHOUT ROWID;
