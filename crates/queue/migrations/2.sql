-- Version 2: blocks that are played a second time, by another worker, to compare the results.

-- The share of blocks that are rechecked, in millionths.
ALTER TABLE tournaments ADD COLUMN recheck BIGINT NOT NULL DEFAULT 0;

-- Of a recheck, whose generation is 2147483647: the token of the worker that may not play it.
ALTER TABLE blocks ADD COLUMN not_by TEXT;
