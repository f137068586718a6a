-- Rejudges that workers on other hosts play, and imports that can be undone.

-- The rejudge of its games. NULL: the batch has blocks of the event.
ALTER TABLE batches ADD COLUMN rejudge INTEGER REFERENCES rejudges(id);

-- The batch that a game is played again in. NULL: this site plays it.
ALTER TABLE rejudged ADD COLUMN batch TEXT REFERENCES batches(id);

CREATE INDEX rejudged_of_batches ON rejudged(batch) WHERE batch IS NOT NULL;

-- Imports of rosters with what they changed, so that the last can be undone.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL,
  -- The people who were added or changed with the values before and after, as JSON.
  changes TEXT NOT NULL,
  -- When it was undone. NULL: it was not.
  undone_at INTEGER
) STRICT;
