-- When somebody last came in, by which a stale login is found. A token lives two hours, so it is
-- never further from the last request than that. Nobody is known to have come in before.
ALTER TABLE accounts ADD COLUMN last_login_at timestamptz;
ALTER TABLE members ADD COLUMN last_login_at timestamptz;
