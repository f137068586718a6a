-- The office: what the audit is about, the time zone, points by hand, releases of grades, announcements, questions,
-- sign-in elsewhere, and email.

-- Whom or what it is about, such as a team; empty in entries of earlier versions.
ALTER TABLE audit ADD COLUMN subject TEXT NOT NULL DEFAULT '';

CREATE INDEX audit_by_what ON audit(what);

-- The time zone of the course, by its IANA name. The last row counts; none is changed. Without a row: UTC.
CREATE TABLE time_zones (
  id INTEGER PRIMARY KEY,
  zone TEXT NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;

-- Points that a teacher gives or takes, for a student or for all members of a team.
CREATE TABLE points (
  id INTEGER PRIMARY KEY,
  -- The ladder's event.
  event INTEGER NOT NULL REFERENCES events(id),
  student INTEGER REFERENCES people(id),
  team INTEGER REFERENCES teams(id),
  points REAL NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL,
  -- When they were taken back. NULL: they count.
  withdrawn_at INTEGER,
  CHECK ((student IS NULL) <> (team IS NULL))
) STRICT;

CREATE INDEX points_by_event ON points(event);

-- Whether students see a frozen copy of grades: their own row. The last row of a copy counts; none is changed.
CREATE TABLE grade_releases (
  id INTEGER PRIMARY KEY,
  copy INTEGER NOT NULL REFERENCES grades(id),
  is_released INTEGER NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX grade_releases_by_copy ON grade_releases(copy, id);

CREATE TABLE announcements (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  -- Markdown.
  text TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL,
  -- When its text was changed last. NULL: never.
  changed_at INTEGER,
  -- NULL: it is shown.
  withdrawn_at INTEGER
) STRICT;

CREATE TABLE questions (
  id INTEGER PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people(id),
  -- The team of the person at that time, whose members see it. NULL: the person alone.
  team INTEGER REFERENCES teams(id),
  -- What it is about, in a word; empty: nothing in particular.
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX questions_by_person ON questions(person);
CREATE INDEX questions_by_team ON questions(team);

CREATE TABLE answers (
  id INTEGER PRIMARY KEY,
  question INTEGER NOT NULL REFERENCES questions(id),
  -- Markdown.
  text TEXT NOT NULL,
  -- Whether the whole class sees it with its question.
  is_public INTEGER NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX answers_by_question ON answers(question);

-- Sign-ins at a provider of OpenID Connect that were begun, by the SHA-256 of their state.
CREATE TABLE sign_ins (
  state TEXT PRIMARY KEY,
  nonce TEXT NOT NULL,
  -- The verifier of PKCE.
  verifier TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Links with which people choose a new password, by the SHA-256 of their tokens.
CREATE TABLE resets (
  token TEXT PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Email that is sent. The texts are made when it is sent, so no secret waits here.
CREATE TABLE mail (
  id INTEGER PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people(id),
  kind TEXT NOT NULL CHECK (kind IN ('code', 'reset', 'reminder', 'test')),
  -- What is sent once: a second row with the same text is not added. NULL: it may be sent again.
  once TEXT UNIQUE,
  -- When the deadline is that it reminds of.
  until INTEGER,
  -- 'sending' is stored before the server is asked: after a kill no one knows whether it was sent, and it is not sent
  -- again.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'dropped')),
  attempts INTEGER NOT NULL DEFAULT 0,
  at INTEGER NOT NULL,
  -- When it is tried next.
  next_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- Why the last attempt failed.
  error TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX waiting_mail ON mail(next_at) WHERE state = 'waiting';

-- Whether teams without an accepted version are reminded of the deadline. The last row counts; without one: no.
CREATE TABLE reminders (
  id INTEGER PRIMARY KEY,
  is_on INTEGER NOT NULL,
  reason TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people(id),
  at INTEGER NOT NULL
) STRICT;
