-- The comparison of hosts, and the choice of their games.
CREATE INDEX games_by_host ON games(host);
