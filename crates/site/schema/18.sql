-- Accounts that are locked, people who were removed, and rosters that wait for their confirmation.

-- Since when the person cannot sign in. NULL: the person can.
ALTER TABLE people ADD COLUMN locked_at INTEGER;
-- Since when the person is no longer in the class; the row stays for what the person did. NULL: in the class.
ALTER TABLE people ADD COLUMN removed_at INTEGER;

-- The file that a teacher looked at last.
CREATE TABLE roster_previews (
  person INTEGER PRIMARY KEY REFERENCES people(id),
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
