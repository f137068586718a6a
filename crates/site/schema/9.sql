-- Submissions from a git repository.

-- The commit, if the files are those of one.
ALTER TABLE submissions ADD COLUMN commit_id TEXT;

-- The hosts from which files are fetched, separated by spaces; empty: none. The last row counts; none is
-- changed.
CREATE TABLE git_hosts (
  id INTEGER PRIMARY KEY,
  hosts TEXT NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;
