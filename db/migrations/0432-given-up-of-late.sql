-- What was given up is told for a day, by when it was.
DROP INDEX postbacks_dead;
CREATE INDEX postbacks_dead ON postbacks (updated_at) WHERE status = 'DEAD';
DROP INDEX rewards_failed;
CREATE INDEX rewards_failed ON rewards (callback_at) WHERE callback_status = 'FAILED';
