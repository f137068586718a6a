-- Blocks that workers on other hosts play, in batches.
CREATE TABLE batches (
  -- The ID of the tournament that the batch is in the store of the workers.
  id TEXT PRIMARY KEY,
  event INTEGER NOT NULL REFERENCES events(id),
  -- The entrants in the order of the bots of that tournament, as a JSON array.
  entrants TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- The batch that an open block is played in. NULL: this site plays it.
ALTER TABLE blocks ADD COLUMN batch TEXT REFERENCES batches(id);

CREATE INDEX blocks_of_batches ON blocks(batch) WHERE batch IS NOT NULL;
