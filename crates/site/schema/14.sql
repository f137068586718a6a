-- What came of blocks of batches that a second worker played again: a row for each batch with such blocks.
CREATE TABLE rechecks (
  event INTEGER NOT NULL REFERENCES events(id),
  blocks INTEGER NOT NULL,
  -- The number of games with the same result.
  same INTEGER NOT NULL,
  -- The games with another result, as a JSON array.
  differing TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
