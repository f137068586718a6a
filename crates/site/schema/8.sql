-- Tokens with which programs submit for a person, by their SHA-256.
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  person INTEGER NOT NULL REFERENCES people(id),
  -- What the person calls it. Untrusted.
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- NULL: never.
  used_at INTEGER,
  -- NULL: it is valid.
  revoked_at INTEGER
) STRICT;

CREATE INDEX tokens_by_person ON tokens(person);
