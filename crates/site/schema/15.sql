-- The game of an event whose rules are a program, and whether it may be played.
CREATE TABLE event_games (
  -- The event of the ladder.
  event INTEGER PRIMARY KEY REFERENCES events(id),
  -- Its name in the registry, with the digest of its bundle.
  name TEXT NOT NULL,
  -- What is kept of it, with its bundle, as JSON.
  kept TEXT NOT NULL,
  -- The digest of the directory that it was copied from.
  source TEXT NOT NULL,
  -- 'waiting' for its checks; 'open': it is played; 'failed': the checks found something; 'paused': its program
  -- failed in a game.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'open', 'failed', 'paused')),
  -- Why it is not played.
  reason TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL
) STRICT;

-- What the checks print, in parts.
CREATE TABLE event_game_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event INTEGER NOT NULL REFERENCES events(id),
  text TEXT NOT NULL
) STRICT;
CREATE INDEX event_game_log_by_event ON event_game_log(event);
