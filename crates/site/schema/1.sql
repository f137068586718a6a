-- People, teams, sessions and the audit. Times are seconds since 1970 (UTC).

CREATE TABLE teams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  -- The ID in a grade book. NULL: the administrator of the first start.
  student_id TEXT UNIQUE,
  name TEXT NOT NULL,
  -- In lower case; '' if unknown.
  email TEXT NOT NULL DEFAULT '',
  -- The group of the course, such as a tutorial.
  section TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL CHECK (role IN ('admin', 'teacher', 'assistant', 'student', 'guest')),
  team INTEGER REFERENCES teams(id),
  -- The code with which the person chooses a password. NULL once it was used.
  join_code TEXT UNIQUE,
  -- A PHC string of Argon2id. NULL until a password was chosen.
  password TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX people_by_email ON people(email) WHERE email <> '';
CREATE INDEX people_by_team ON people(team);

-- Sessions and links by the SHA-256 of their tokens: who reads the database cannot use them.
CREATE TABLE sessions (
  token TEXT PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people(id),
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_person ON sessions(person);

CREATE TABLE links (
  token TEXT PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people(id),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Failed attempts, for the limits: `what` is the account or the kind of the attempt.
CREATE TABLE attempts (
  what TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX attempts_by_what ON attempts(what, at);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- Who did it. NULL: the site itself.
  person INTEGER REFERENCES people(id),
  what TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
